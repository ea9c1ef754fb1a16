package dev.leasehold.spi;

import java.time.Duration;

/** Waiting, scheduling and threads, so that the engine itself starts none and a simulator can run it in virtual time. */
public interface Timers extends AutoCloseable {
    /** Where work runs that may block. */
    enum Lane {
        /** Calls to the store: one at a time. */
        STORE,
        /** Users' callbacks: they must not hold up renewals. */
        CALLBACK
    }

    /**
     * Runs {@code task}, which must not block, after {@code delay}; the handle cancels it.
     *
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be had for it: it does not run
     */
    Runnable after(Duration delay, Runnable task);

    /** @throws java.util.concurrent.RejectedExecutionException if no thread can be had for it: it does not run */
    void run(Lane lane, Runnable task);

    void sleep(Duration duration) throws InterruptedException;

    @Override
    void close();
}
