package dev.leasehold.shedlock;

import dev.leasehold.AcquireResult;
import dev.leasehold.Leases;
import dev.leasehold.internal.Acquirer;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.jspecify.annotations.Nullable;

/**
 * Locks of ShedLock that are leases: each has a token, a history and a holder that {@code leasehold
 * explain} shows.
 *
 * <pre>
 * &#64;Bean
 * LockProvider lockProvider(Leases leases) {
 *     return new LeaseholdLockProvider(leases);
 * }
 * </pre>
 *
 * <p>A lock ends after {@code lockAtMostFor}, whether or not the task has ended, as with every other
 * provider. With {@link #keepAlive()} it is renewed for as long as the task runs.
 *
 * <p>Safe for use by many threads. A lock does not stop a task that outlives it: writes through a fence
 * are refused then, other writes are not. With {@code leasehold-spring-tx} on the class path, every
 * transaction of the task that a {@code FencedTransactions} watches is such a write.
 */
public final class LeaseholdLockProvider implements ExtensibleLockProvider {
    private final Leases leases;
    private final boolean renewed;

    /** Locks that nobody renews. Closing {@code leases} is up to the caller. */
    public LeaseholdLockProvider(Leases leases) {
        this(leases, false);
    }

    private LeaseholdLockProvider(Leases leases, boolean renewed) {
        this.leases = leases;
        this.renewed = renewed;
    }

    /**
     * A provider whose locks are renewed every third of {@code lockAtMostFor} until the task ends, so
     * that {@code lockAtMostFor} can be short: it is the time until another instance takes over from one
     * that died. If a lock is lost nevertheless, the thread that locked it is interrupted; lock and
     * unlock in the thread that runs the task, as ShedLock itself does.
     */
    public LeaseholdLockProvider keepAlive() {
        return new LeaseholdLockProvider(leases, true);
    }

    /**
     * A provider that holds the lock of {@code former} as well. Use it for one release, while instances
     * with the former provider still run: they do not see the leases.
     */
    public LockProvider alongside(LockProvider former) {
        return configuration -> BothLocks.lock(configuration, this, former);
    }

    /**
     * Tries once.
     *
     * @return empty if the name is taken
     * @throws LockException if the store did not answer. The task must not run: another instance may
     *     hold the lock
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LeaseName name = LockNames.leaseName(configuration.getName());
        requireNotTooLong(configuration);
        try {
            LockHold hold = renewed ? renewed(name, configuration) : plain(name, configuration);
            return hold == null ? Optional.empty() : Optional.of(held(hold, configuration));
        } catch (StoreUnavailableException e) {
            throw new LockException(
                    "lock '" + name + "' was not acquired, and its task does not run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException("interrupted while acquiring lock '" + name + "'; its task does not run", e);
        }
    }

    private SimpleLock held(LockHold hold, LockConfiguration configuration) {
        try {
            LockScope scope = LockScope.open(hold);
            return new LeaseLock(leases.store(), configuration, hold, scope, configuration.getLockAtLeastFor());
        } catch (RuntimeException | Error e) {
            // A transaction is active, and its database did not answer or knows a higher token.
            giveBack(hold, e);
            throw e;
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private static void giveBack(LockHold hold, Throwable cause) {
        try {
            hold.release(Duration.ZERO);
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }

    private @Nullable LockHold plain(LeaseName name, LockConfiguration configuration) throws InterruptedException {
        Acquirer acquirer =
                new Acquirer(leases.store(), leases.context(), name, leases.holder(), configuration.getLockAtMostFor());
        return acquirer.acquire(Duration.ZERO) instanceof Acquisition.Granted granted
                ? new PlainHold(leases, granted.grant(), acquirer.asked())
                : null;
    }

    private @Nullable LockHold renewed(LeaseName name, LockConfiguration configuration) {
        return leases.tryAcquire(name, terms(name, configuration)) instanceof AcquireResult.Acquired acquired
                ? new RenewedHold(acquired.held())
                : null;
    }

    private static LeaseTerms terms(LeaseName name, LockConfiguration configuration) {
        if (configuration.getLockAtMostFor().compareTo(LeaseTerms.MIN_TTL) < 0) {
            throw new IllegalArgumentException("lock '" + name + "' cannot be kept alive: its lockAtMostFor of "
                    + DurationText.show(configuration.getLockAtMostFor()) + " is shorter than "
                    + DurationText.show(LeaseTerms.MIN_TTL) + ". Raise it, or use a provider without keepAlive()");
        }
        return LeaseTerms.ofTtl(configuration.getLockAtMostFor()).withMinHold(configuration.getLockAtLeastFor());
    }

    static void requireNotTooLong(LockConfiguration configuration) {
        if (configuration.getLockAtMostFor().compareTo(LeaseTerms.MAX_TTL) > 0) {
            throw new IllegalArgumentException("lock '" + LockNames.leaseName(configuration.getName())
                    + "' has a lockAtMostFor of " + DurationText.show(configuration.getLockAtMostFor()) + ": at most "
                    + DurationText.show(LeaseTerms.MAX_TTL)
                    + " are allowed. Use a shorter one; keepAlive() renews a lock while its task runs");
        }
    }
}
