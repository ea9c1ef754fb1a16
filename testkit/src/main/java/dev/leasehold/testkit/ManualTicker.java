package dev.leasehold.testkit;

import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.time.Duration;

/** A holder's clocks that move only when told to. Safe for use by many threads. */
public final class ManualTicker implements Ticker {
    private long monotonicNanos = 1_000_000_000L;
    private long sleepingNanos = 5_000_000_000L;

    @Override
    public synchronized ClockReading read() {
        return new ClockReading(monotonicNanos, sleepingNanos);
    }

    /** Time passes: both clocks move. */
    public synchronized void advance(Duration duration) {
        requireNotNegative(duration);
        monotonicNanos += duration.toNanos();
        sleepingNanos += duration.toNanos();
    }

    /** The machine sleeps: the monotonic clock stands still and only the other one goes on counting. */
    public synchronized void sleep(Duration duration) {
        requireNotNegative(duration);
        sleepingNanos += duration.toNanos();
    }

    /** Somebody sets the wall clock, ahead or (by a negative duration) back, where that is what counts sleep. */
    public synchronized void jumpWallClock(Duration by) {
        sleepingNanos += by.toNanos();
    }

    static void requireNotNegative(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + duration);
        }
    }
}
