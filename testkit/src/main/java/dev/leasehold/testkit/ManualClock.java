package dev.leasehold.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A wall clock that moves only when told to, such as the clock of a memory store. Unlike the holder's clocks it may be set
 * to anything, as real ones are. Safe for use by many threads.
 */
public final class ManualClock extends Clock {
    /** Shared by the views of one clock from several zones. */
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

    /** Starts at a fixed moment, so that two runs of a test show the same times. */
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

    /** Moves the clock, also backwards. */
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

    /** The same clock, seen from another zone: both move together. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(hands, other);
    }
}
