package dev.leasehold.spi;

import java.time.Duration;

/**
 * Waiting, scheduling and threads. The engine starts no threads itself, so a simulator can run it
 * in virtual time.
 */
public interface Timers extends AutoCloseable {
    /** The threads for work that may block. */
    enum Lane {
        /** Calls to the store: one at a time. */
        STORE,
        /** Users' callbacks, which must not delay renewals. */
        CALLBACK
    }

    /**
     * Runs {@code task}, which must not block, after {@code delay}. Returns a handle that cancels
     * it.
     *
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be started; the task
     *     does not run
     */
    Runnable after(Duration delay, Runnable task);

    /**
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be started; the task
     *     does not run
     */
    void run(Lane lane, Runnable task);

    void sleep(Duration duration) throws InterruptedException;

    @Override
    void close();
}
