package dev.leasehold.shedlock;

import dev.leasehold.model.DurationText;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock as ShedLock sees it. An extension returns another lock with the same hold, and ends this one.
 * An extension that fails does not end it: ShedLock gives the lock back afterwards, and an exception
 * there would replace that of the task.
 */
final class LeaseLock implements SimpleLock {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseholdLockProvider.class);
    private static final int RENEW_TRIES = 3;

    private final LeaseStore store;
    private final LockConfiguration configuration;
    private final LockHold hold;
    private final LockScope scope;
    private final Duration minHold;
    private boolean over;

    LeaseLock(LeaseStore store, LockConfiguration configuration, LockHold hold, LockScope scope, Duration minHold) {
        this.store = store;
        this.configuration = configuration;
        this.hold = hold;
        this.scope = scope;
        this.minHold = minHold;
    }

    /**
     * Gives the lock back. What goes wrong is only logged: the task may have thrown, and its exception
     * must reach the caller.
     */
    @Override
    @SuppressWarnings("CatchingUnchecked")
    public synchronized void unlock() {
        requireNotOver();
        over = true;
        try {
            scope.close();
            hold.release(minHold).ifPresent(this::logLoss);
        } catch (StoreUnavailableException e) {
            LOG.warn("{}: {}", notGivenBack(), e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.warn(notGivenBack(), e);
        }
    }

    @Override
    public synchronized Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        requireNotOver();
        LockConfiguration extended =
                new LockConfiguration(ClockProvider.now(), configuration.getName(), lockAtMostFor, lockAtLeastFor);
        LeaseholdLockProvider.requireNotTooLong(extended);
        // A store counts the minimum hold from the acquisition, ShedLock from the extension.
        Duration minimum =
                lockAtLeastFor.isZero() ? Duration.ZERO : hold.heldFor().plus(lockAtLeastFor);
        if (!renew(lockAtMostFor)) {
            return Optional.empty();
        }
        over = true;
        return Optional.of(new LeaseLock(store, extended, hold, scope, minimum));
    }

    private boolean renew(Duration ttl) {
        List<RenewRequest> request = List.of(new RenewRequest(hold.grant(), ttl));
        Renewal answer = new Renewal.Unknown("the store was not asked");
        try {
            for (int tries = 0; tries < RENEW_TRIES && answer instanceof Renewal.Unknown; tries++) {
                answer = store.renew(request).get(0);
            }
        } catch (StoreUnavailableException e) {
            throw new LockException(notKnown(e.getMessage()), e);
        }
        if (answer instanceof Renewal.Unknown unknown) {
            throw new LockException(notKnown(unknown.why()));
        }
        return answer instanceof Renewal.Renewed;
    }

    private String notKnown(@Nullable String why) {
        return "whether lock '" + hold.grant().name() + "' was extended is unknown: " + why
                + ". Extend it again, or finish within the time that is left";
    }

    private void requireNotOver() {
        if (over) {
            throw new IllegalStateException("lock '" + hold.grant().name()
                    + "' was unlocked or extended before; use the lock that extend returned");
        }
    }

    private void logLoss(Loss loss) {
        LOG.warn(
                "the task of lock '{}' (token {}) ended {} after it began, and its lock had ended before: {}. Another run"
                        + " may have overlapped with it. Raise lockAtMostFor ({}), or use keepAlive()",
                hold.grant().name(),
                hold.grant().token(),
                DurationText.show(hold.heldFor()),
                loss.explanation(),
                DurationText.show(configuration.getLockAtMostFor()));
    }

    private String notGivenBack() {
        return "lock '" + hold.grant().name() + "' was not given back, and stays taken until its lockAtMostFor of "
                + DurationText.show(configuration.getLockAtMostFor()) + " has passed";
    }
}
