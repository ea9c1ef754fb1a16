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
    private static final class Hands {
        private volatile Instant at;

        Hands(Instant at) {
            this.at = at;
        }

        synchronized void set(Instant instant) {
            at = instant;
        }

        synchronized void move(Duration by) {
            at = at.plus(by);
        }
    }

    private final Hands hands;
    private final ZoneId zone;

    /** Starts at a fixed time, so that two runs of a test show the same times. */
    public ManualClock() {
        this(Instant.parse("2025-01-01T00:00:00Z"));
    }

    public ManualClock(Instant start) {
        this(new Hands(start), ZoneOffset.UTC);
    }

    private ManualClock(Hands hands, ZoneId zone) {
        this.hands = hands;
        this.zone = zone;
    }

    @Override
    public Instant instant() {
        return hands.at;
    }

    /** Sets the clock, also back. */
    public void set(Instant instant) {
        hands.set(instant);
    }

    /** Moves the clock by a duration; a negative one sets it back. */
    public void advance(Duration duration) {
        hands.move(duration);
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock in another zone: both move together. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(hands, other);
    }
}
