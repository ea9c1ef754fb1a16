package dev.leasehold.testkit;

import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.time.Duration;

/** The clocks of a holder, moved only by the test. Safe for use by many threads. */
public final class ManualTicker implements Ticker {
    private long monotonicNanos = 1_000_000_000L;
    private long sleepingNanos = 5_000_000_000L;

    @Override
    public synchronized ClockReading read() {
        return new ClockReading(monotonicNanos, sleepingNanos);
    }

    /** Lets time pass: both clocks move. */
    public synchronized void advance(Duration duration) {
        requireNotNegative(duration);
        monotonicNanos += duration.toNanos();
        sleepingNanos += duration.toNanos();
    }

    /**
     * Lets the machine sleep: the monotonic clock stands still, and only the clock that counts
     * sleep moves.
     */
    public synchronized void sleep(Duration duration) {
        requireNotNegative(duration);
        sleepingNanos += duration.toNanos();
    }

    /**
     * Sets the wall clock ahead, or back by a negative duration, on a system where the wall clock
     * is what counts sleep.
     */
    public synchronized void jumpWallClock(Duration by) {
        sleepingNanos += by.toNanos();
    }

    static void requireNotNegative(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + duration);
        }
    }
}
