package dev.leasehold.metrics;

import dev.leasehold.Lease;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** What only the holder of a lease knows: how long it held it, and how late it renewed it. */
final class HolderMeters {
    private final LeaseMeters leases;
    private final Timer lateness;
    private final DistributionSummary trustUsed;
    private final Timer released;
    private final Timer lost;
    private final Timer unanswered;

    HolderMeters(MeterRegistry registry, Tags tags) {
        leases = new LeaseMeters(registry, tags);
        lateness = Timer.builder("leasehold.renewals.lateness")
                .description("How much later than planned leases were renewed")
                .tags(tags)
                .register(registry);
        trustUsed = DistributionSummary.builder("leasehold.renewals.trust.used")
                .description("The part of the trusted time that had passed at each renewal; at 1 a lease is lost")
                .baseUnit("ratio")
                .tags(tags)
                .register(registry);
        released = held(registry, tags, "released");
        lost = held(registry, tags, "lost");
        unanswered = held(registry, tags, "unanswered");
    }

    private static Timer held(MeterRegistry registry, Tags tags, String end) {
        return Timer.builder("leasehold.held")
                .description("How long leases were held, by how that ended")
                .tags(tags)
                .tag("end", end)
                .register(registry);
    }

    LeaseMeters leases() {
        return leases;
    }

    void renewed(Lease lease, Duration gap) {
        leases.renewed();
        Duration late = gap.minus(lease.terms().heartbeat());
        lateness.record(late.isNegative() ? Duration.ZERO : late);
        trustUsed.record((double) gap.toNanos() / lease.terms().trustedFor().toNanos());
    }

    void lost(Lease lease) {
        lost.record(lease.heldFor());
    }

    /** A lease that was lost is still closed by its user. Its hold has ended already. */
    void released(Lease lease) {
        if (lease.loss().isEmpty()) {
            released.record(lease.heldFor());
        }
    }

    void releaseUnanswered(Lease lease) {
        if (lease.loss().isEmpty()) {
            unanswered.record(lease.heldFor());
        }
    }
}
