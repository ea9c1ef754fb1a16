package dev.leasehold.simulator;

import dev.leasehold.Lease;
import java.util.HashSet;
import java.util.Set;

/**
 * Checks that work is notified when its lease is over, unless a fault prevented its process from
 * acting.
 */
final class LossNoticeChecks {
    /** The engine checks its leases once a second and needs a while to report. */
    private static final long IN_TIME = 1_400_000_000L;

    private static final long SLACK = 1_000_000L;

    private final SimulatedWorld world;
    private final Set<Lease> watched = new HashSet<>();

    LossNoticeChecks(SimulatedWorld world) {
        this.world = world;
    }

    /** From now on work runs under the lease. */
    void watch(SimulatedProcess process, Lease lease) {
        watched.add(lease);
        lease.onLost(loss -> {
            process.requireAlive();
            watched.remove(lease);
        });
        check(process, lease, false);
    }

    /** The work under the lease has ended. */
    void forget(Lease lease) {
        watched.remove(lease);
    }

    /**
     * @param suspected whether the lease was already over at the previous check, which was long
     *     enough ago
     */
    private void check(SimulatedProcess process, Lease lease, boolean suspected) {
        if (process.isDead() || !watched.contains(lease)) {
            return;
        }
        long now = world.time().now();
        long wait = Math.max(lease.remaining().toNanos(), process.faultyUntil() - now);
        if (wait > 0) {
            world.time().after(wait + SLACK, () -> check(process, lease, false));
        } else if (!suspected || process.faultyUntil() > now - IN_TIME) {
            world.time().after(IN_TIME, () -> check(process, lease, true));
        } else {
            world.invariants()
                    .violated(
                            Invariant.LOSS_REPORTED,
                            process + " works under " + lease.grant() + " and is not notified that it is over");
        }
    }
}
