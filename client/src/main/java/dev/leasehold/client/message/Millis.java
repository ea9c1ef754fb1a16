package dev.leasehold.client.message;

import java.time.Duration;

/** Durations as the milliseconds of a message. */
public final class Millis {
    private static final long NANOS = 1_000_000;

    private Millis() {}

    /** Rounded down: a holder may trust a little too short, but never too long. */
    public static long down(Duration duration) {
        return duration.toMillis();
    }

    /** Rounded up: a store may keep a lease a little longer than asked, but never shorter. */
    public static long up(Duration duration) {
        return duration.plusNanos(NANOS - 1).toMillis();
    }
}
