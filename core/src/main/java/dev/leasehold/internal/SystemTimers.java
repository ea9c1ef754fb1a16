package dev.leasehold.internal;

import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real waiting on a handful of daemon threads, however many leases there are; none is started before it is needed. */
public final class SystemTimers implements Timers {
    private static final int CALLBACK_THREADS = 4;

    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, r -> thread("timer", r));
    private final ThreadPoolExecutor store = pool("store", 1);
    private final ThreadPoolExecutor callbacks = pool("callback", CALLBACK_THREADS);

    public SystemTimers() {
        clock.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> scheduled = clock.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            // Closed: nothing that was planned happens any more.
            return () -> {};
        }
    }

    @Override
    public void run(Lane lane, Runnable task) {
        try {
            (lane == Lane.STORE ? store : callbacks).execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "closed: a late task was dropped");
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    @Override
    public void close() {
        clock.shutdownNow();
        store.shutdown();
        callbacks.shutdown();
    }

    /** A callback that throws is the user's fault and must not end the thread that the other leases need. */
    @SuppressWarnings("CatchingUnchecked")
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, "a lease callback failed", e);
        }
    }

    private static ThreadPoolExecutor pool(String name, int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), r -> thread(name, r));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, "leasehold-" + name);
        thread.setDaemon(true);
        return thread;
    }
}
