package dev.leasehold.shedlock;

import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease and a lock of the provider that the application had before, for as long as instances of both
 * kinds run.
 */
final class BothLocks implements SimpleLock {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseholdLockProvider.class);

    private final SimpleLock lease;
    private final SimpleLock former;

    private BothLocks(SimpleLock lease, SimpleLock former) {
        this.lease = lease;
        this.former = former;
    }

    /** Empty if one of the two is taken; then neither is held. */
    static Optional<SimpleLock> lock(LockConfiguration configuration, LockProvider leases, LockProvider formerLocks) {
        // The former lock keeps the minimum hold for both: a lease that is given back because the former lock is
        // taken has to be free at once.
        LockConfiguration withoutMinimum = new LockConfiguration(
                ClockProvider.now(), configuration.getName(), configuration.getLockAtMostFor(), Duration.ZERO);
        return leases.lock(withoutMinimum).flatMap(lease -> {
            Optional<SimpleLock> former = Optional.empty();
            try {
                former = formerLocks.lock(configuration);
            } finally {
                if (former.isEmpty()) {
                    lease.unlock();
                }
            }
            return former.map(lock -> new BothLocks(lease, lock));
        });
    }

    @Override
    @SuppressWarnings("CatchingUnchecked")
    public void unlock() {
        lease.unlock();
        try {
            former.unlock();
        } catch (RuntimeException | Error e) {
            // The task may have thrown, and its exception must reach the caller.
            LOG.warn("the former provider did not give its lock back", e);
        }
    }

    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        Optional<SimpleLock> longer = former.extend(lockAtMostFor, lockAtLeastFor);
        return longer.isEmpty()
                ? Optional.empty()
                : lease.extend(lockAtMostFor, Duration.ZERO).map(extended -> new BothLocks(extended, longer.get()));
    }
}
