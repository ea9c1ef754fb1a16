package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A record as read at one moment of store time, for people and dashboards. It proves nothing about
 * ownership now.
 *
 * @param at the store time, which decides whether the lease is over
 * @param readAt the time of day, from which ages count. It is the store time, unless the store has no clock: then the
 *     clocks of the writer and of the host that looks tell how long ago the record was written, while store time stands still
 *     until somebody observes the record
 */
public record LeaseSnapshot(LeaseRecord lease, Instant at, Instant readAt) {
    /** Of a store that has a clock. */
    public LeaseSnapshot(LeaseRecord lease, Instant at) {
        this(lease, at, at);
    }

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

    /**
     * Whether the deadline has passed by the clock of the host that looks, although the lease is not over in store time. The
     * store has no clock, and this host has not observed the record for long enough. The holder is probably gone, if the clocks
     * of both hosts are right.
     */
    public boolean isSilent() {
        return !isFree() && !readAt.isBefore(lease.deadline());
    }

    public State state() {
        if (lease.released()) {
            return isFree() ? State.RELEASED : State.RESTING;
        }
        return isFree() ? State.EXPIRED : State.HELD;
    }
}
