package dev.leasehold.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A wall clock that only the test moves, for example as the clock of a memory store. It can be set
 * to any time, also back. Safe for use by many threads.
 */
public final class ManualClock extends Clock {
    /** The time that all views of one clock in different zones share. */
    private static final class SharedTime {
        private volatile Instant at;

        SharedTime(Instant at) {
            this.at = at;
        }

        synchronized void set(Instant instant) {
            at = instant;
        }

        synchronized void move(Duration by) {
            at = at.plus(by);
        }
    }

    private final SharedTime time;
    private final ZoneId zone;

    /** Starts at a fixed time, so that two runs of a test show the same times. */
    public ManualClock() {
        this(Instant.parse("2025-01-01T00:00:00Z"));
    }

    public ManualClock(Instant start) {
        this(new SharedTime(start), ZoneOffset.UTC);
    }

    private ManualClock(SharedTime time, ZoneId zone) {
        this.time = time;
        this.zone = zone;
    }

    @Override
    public Instant instant() {
        return time.at;
    }

    /** Sets the clock, also back. */
    public void set(Instant instant) {
        time.set(instant);
    }

    /** Moves the clock by a duration; a negative one sets it back. */
    public void advance(Duration duration) {
        time.move(duration);
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock in another zone: both move together. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(time, other);
    }
}
