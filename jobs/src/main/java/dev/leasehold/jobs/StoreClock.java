package dev.leasehold.jobs;

import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.time.Duration;
import java.time.Instant;

/** The store's time as this machine reckons it between two answers. Only good for deciding when to ask again. */
final class StoreClock {
    private final Ticker ticker;
    private Instant told = Instant.EPOCH;
    private ClockReading toldAt;

    StoreClock(Ticker ticker) {
        this.ticker = ticker;
        this.toldAt = ticker.read();
    }

    /** @param asked from before the question, so that the reckoning is early and never late */
    synchronized void learn(Instant storeTime, ClockReading asked) {
        told = storeTime;
        toldAt = asked;
    }

    /** Whether the store was last asked so long ago that the two clocks may have drifted apart, or one of them was set. */
    synchronized boolean isOlderThan(Duration age) {
        return toldAt.elapsedUntil(ticker.read()).compareTo(age) >= 0;
    }

    /** Some time long ago as long as the store has not said anything. */
    synchronized Instant now() {
        return told.plus(toldAt.elapsedUntil(ticker.read()));
    }
}
