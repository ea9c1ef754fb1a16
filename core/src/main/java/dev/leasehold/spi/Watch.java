package dev.leasehold.spi;

import java.time.Duration;

/**
 * Wakes a waiter when a name may have become free. Wake-ups may be spurious or missing, so a waiter
 * asks the store again when the deadline that it knows has passed.
 */
public interface Watch extends AutoCloseable {
    void await(Duration atMost) throws InterruptedException;

    @Override
    void close();
}
