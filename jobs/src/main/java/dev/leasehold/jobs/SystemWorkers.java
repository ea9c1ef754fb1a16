package dev.leasehold.jobs;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Real threads for work and looks, none of which is started before it is needed. */
final class SystemWorkers implements Executor, AutoCloseable {
    /** Looks are short, but a store may be slow: several go on at once. */
    private static final int LOOKS = 4;

    private final ThreadPoolExecutor pool;

    SystemWorkers(int parallel) {
        AtomicInteger number = new AtomicInteger();
        pool = new ThreadPoolExecutor(
                parallel + LOOKS, parallel + LOOKS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "leasehold-job-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    /** Throws if no thread can be started, and after the close: a task is run or refused, never dropped. */
    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
