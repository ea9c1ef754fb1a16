package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A record as read at one moment of store time, for people and dashboards. It proves nothing about
 * ownership now.
 */
public record LeaseSnapshot(LeaseRecord lease, Instant at) {
    /** The state of a lease. */
    public enum State {
        HELD,
        /** Given back, and free. */
        RELEASED,
        /** Given back early, and kept taken by its minimum hold. */
        RESTING,
        /** Not given back: its deadline passed. */
        EXPIRED;

        /** The word that people and scripts see. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public boolean isFree() {
        return !lease.deadline().isAfter(at);
    }

    /** The time until the name is free; zero if it is. */
    public Duration remaining() {
        return isFree() ? Duration.ZERO : Duration.between(at, lease.deadline());
    }

    /** Whether the holder renews its lease but has made no progress for a whole term. */
    public boolean isStuck() {
        LeaseRecord.Progress progress = lease.progress();
        return state() == State.HELD
                && progress != null
                && Duration.between(progress.at(), at).compareTo(lease.term()) > 0;
    }

    public State state() {
        if (lease.released()) {
            return isFree() ? State.RELEASED : State.RESTING;
        }
        return isFree() ? State.EXPIRED : State.HELD;
    }
}
