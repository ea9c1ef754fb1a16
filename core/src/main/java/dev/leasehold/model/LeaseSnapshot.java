package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;

/** A record as read at one moment of store time. For people and dashboards: nothing here proves ownership. */
public record LeaseSnapshot(LeaseRecord lease, Instant at) {
    public boolean isFree() {
        return !lease.deadline().isAfter(at);
    }

    /** Time until the name is free, zero when it is. */
    public Duration remaining() {
        return isFree() ? Duration.ZERO : Duration.between(at, lease.deadline());
    }

    /** {@code held}, {@code released}, {@code expired}, or {@code resting}: released early, kept taken by minHold. */
    public String state() {
        if (lease.released()) {
            return isFree() ? "released" : "resting";
        }
        return isFree() ? "expired" : "held";
    }
}
