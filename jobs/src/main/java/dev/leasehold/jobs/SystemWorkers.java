package dev.leasehold.jobs;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for slots and passes, each started when it is first needed. */
final class SystemWorkers implements Executor, AutoCloseable {
    /** Passes are short, but a store may be slow, so several may run at once. */
    private static final int PASSES = 4;

    private final ThreadPoolExecutor pool;

    SystemWorkers(int parallel) {
        AtomicInteger number = new AtomicInteger();
        pool = new ThreadPoolExecutor(
                parallel + PASSES, parallel + PASSES, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "leasehold-job-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * Throws if no thread can be started, and after the close. A task is run or refused,
     * never dropped.
     */
    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
