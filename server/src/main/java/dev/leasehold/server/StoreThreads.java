package dev.leasehold.server;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that wait for the store. More calls than they can serve wait in a queue that is bounded. */
final class StoreThreads implements Executor, AutoCloseable {
    /** More than a database has connections: calls that wait for one another share a statement. */
    private static final int THREADS = 48;

    private static final int MOST_QUEUED = 4096;
    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor pool;

    StoreThreads() {
        AtomicInteger count = new AtomicInteger();
        pool = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_QUEUED), task -> {
                    Thread thread = new Thread(task, "leasehold-server-store-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    /** @throws RejectedExecutionException if the queue is full, or no thread can be started */
    @Override
    public void execute(Runnable task) {
        try {
            pool.execute(task);
        } catch (OutOfMemoryError noThread) {
            throw new RejectedExecutionException("no thread can be started", noThread);
        }
    }

    /** Lets the calls that have begun end. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
