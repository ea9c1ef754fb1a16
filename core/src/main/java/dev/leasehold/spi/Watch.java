package dev.leasehold.spi;

import java.time.Duration;

/**
 * Wakes a waiter when a name may have become free. It may wake for no reason and must not be relied on to wake at all:
 * whoever waits asks the store again, at the latest when the deadline it was told has passed.
 */
public interface Watch extends AutoCloseable {
    void await(Duration atMost) throws InterruptedException;

    @Override
    void close();
}
