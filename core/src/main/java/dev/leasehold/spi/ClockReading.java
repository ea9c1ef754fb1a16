package dev.leasehold.spi;

import java.time.Duration;

/**
 * What two clocks of one host said at one moment: the monotonic one, which may stand still while a laptop sleeps, and one
 * that goes on counting but may jump. Only differences mean anything.
 */
public record ClockReading(long monotonicNanos, long sleepingNanos) {
    /** The time that passed until {@code later} by the clock that moved further: trust may end early, never late. */
    public Duration elapsedUntil(ClockReading later) {
        return Duration.ofNanos(nanosUntil(later));
    }

    public long nanosUntil(ClockReading later) {
        long moved = Math.max(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos);
        return Math.max(0, moved);
    }

    public ClockReading minus(Duration duration) {
        return new ClockReading(monotonicNanos - duration.toNanos(), sleepingNanos - duration.toNanos());
    }
}
