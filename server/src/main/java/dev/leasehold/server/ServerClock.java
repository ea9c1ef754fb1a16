package dev.leasehold.server;

import dev.leasehold.internal.Failure;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs short tasks later, on one thread. */
final class ServerClock implements AutoCloseable {
    private final ScheduledThreadPoolExecutor executor;

    ServerClock() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "leasehold-server-clock");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        // Later there may be no thread to be had, and a client without its time limit would wait for ever.
        executor.prestartCoreThread();
    }

    /**
     * Runs a task after a pause.
     *
     * @return a handle that cancels it
     * @throws RejectedExecutionException if the clock was stopped
     */
    Future<?> after(Duration pause, Runnable task) {
        return executor.schedule(careful(task), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs a task again and again, with pauses between. */
    void every(Duration pause, Runnable task) {
        Future<?> unused =
                executor.scheduleWithFixedDelay(careful(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("CatchingUnchecked")
    private static Runnable careful(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                Failure.log("a task of the server failed", e);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
