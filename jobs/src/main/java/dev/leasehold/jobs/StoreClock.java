package dev.leasehold.jobs;

import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.time.Duration;
import java.time.Instant;

/**
 * An estimate of the store's time between two answers of the store. Used only to decide when
 * to ask again.
 */
final class StoreClock {
    private final Ticker ticker;
    private Instant storeTime = Instant.EPOCH;
    private ClockReading readAt;

    StoreClock(Ticker ticker) {
        this.ticker = ticker;
        this.readAt = ticker.read();
    }

    /**
     * @param asked read before the store was asked, so that the estimate is early and never late
     */
    synchronized void learn(Instant time, ClockReading asked) {
        storeTime = time;
        readAt = asked;
    }

    /** Whether the last answer is so old that the clocks may have drifted apart or been set. */
    synchronized boolean isOlderThan(Duration age) {
        return readAt.elapsedUntil(ticker.read()).compareTo(age) >= 0;
    }

    /** Shortly after 1970 until the store has answered once. */
    synchronized Instant now() {
        return storeTime.plus(readAt.elapsedUntil(ticker.read()));
    }
}
