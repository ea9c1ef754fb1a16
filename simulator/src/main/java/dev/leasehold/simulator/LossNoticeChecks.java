package dev.leasehold.simulator;

import dev.leasehold.Lease;
import java.util.HashSet;
import java.util.Set;

/** Whoever works under a lease that is over has been told so, unless its process could not tell anybody anything. */
final class LossNoticeChecks {
    /** An engine that looks at its leases once a second, and a while to tell what it saw. */
    private static final long IN_TIME = 1_400_000_000L;

    private static final long SLACK = 1_000_000L;

    private final SimulatedWorld world;
    private final Set<Lease> watched = new HashSet<>();

    LossNoticeChecks(SimulatedWorld world) {
        this.world = world;
    }

    /** From now on somebody works under the lease. */
    void watch(SimulatedProcess process, Lease lease) {
        watched.add(lease);
        lease.onLost(loss -> {
            process.requireAlive();
            watched.remove(lease);
        });
        look(process, lease, false);
    }

    /** Its work has ended. */
    void forget(Lease lease) {
        watched.remove(lease);
    }

    /** @param suspected whether the lease was over the last time, which is long enough ago */
    private void look(SimulatedProcess process, Lease lease, boolean suspected) {
        if (process.isDead() || !watched.contains(lease)) {
            return;
        }
        long now = world.time().now();
        long wait = Math.max(lease.remaining().toNanos(), process.hinderedUntil() - now);
        if (wait > 0) {
            world.time().after(wait + SLACK, () -> look(process, lease, false));
        } else if (!suspected || process.hinderedUntil() > now - IN_TIME) {
            world.time().after(IN_TIME, () -> look(process, lease, true));
        } else {
            world.invariants()
                    .violated(
                            Invariant.LOSS_REPORTED,
                            process + " works under " + lease.grant() + " and is not told that it is over");
        }
    }
}
