package dev.leasehold.simulator;

import dev.leasehold.model.LeaseRecord;
import java.time.Instant;

/**
 * What time it really is for the lease. In a store with a clock, that clock tells. In a store without one, a record has
 * a time of its own, which starts when it is written; here true time counts, and no client's observation.
 */
final class LeaseTime {
    /** Times in records have whole microseconds. */
    private static final long ROUNDED = 1_000;

    private final SimulatedWorld world;
    private final boolean clockless;
    private long written;

    LeaseTime(SimulatedWorld world) {
        this.world = world;
        this.clockless = world.scenario().kind() == ScenarioKind.CLOCKLESS;
    }

    /** The record was written just now. */
    void written() {
        written = world.time().now();
    }

    Instant now(LeaseRecord record) {
        if (clockless) {
            return record.seen().plusNanos(world.time().now() - written);
        }
        Instant clock = world.store().clock();
        return clock.isBefore(record.seen()) ? record.seen() : clock;
    }

    /** Whether not even the client with the fastest clock may take the lease for over. */
    boolean isSurelyHeld(LeaseRecord record) {
        Instant latest = now(record);
        if (clockless) {
            double passed = (world.time().now() - written) * (1 + SimulatedWorld.OBSERVED_RATE_SPREAD);
            latest = record.seen().plusNanos(Math.round(passed) + ROUNDED);
        }
        return record.deadline().isAfter(latest);
    }

    boolean isClockless() {
        return clockless;
    }
}
