package dev.leasehold.spi;

import java.time.Duration;

/**
 * Two clocks of one host, read at one moment: the monotonic clock, which may stand still while the
 * machine sleeps, and a clock that keeps counting but may jump. Only differences between readings
 * are meaningful.
 */
public record ClockReading(long monotonicNanos, long sleepingNanos) {
    /**
     * The time until {@code later}, by the clock that moved further. So trust may end early, but
     * never late.
     */
    public Duration elapsedUntil(ClockReading later) {
        return Duration.ofNanos(nanosUntil(later));
    }

    public long nanosUntil(ClockReading later) {
        long moved = Math.max(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos);
        return Math.max(0, moved);
    }

    /**
     * The time that surely passed until {@code later}: by the clock that moved less. So a wait that
     * is measured this way may end late, but never early.
     */
    public Duration surelyPassedUntil(ClockReading later) {
        long moved = Math.min(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos);
        return Duration.ofNanos(Math.max(0, moved));
    }

    public ClockReading minus(Duration duration) {
        return new ClockReading(monotonicNanos - duration.toNanos(), sleepingNanos - duration.toNanos());
    }
}
