package dev.leasehold.internal;

import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Real timers on a handful of daemon threads, however many leases there are. No thread is started
 * before it is needed. Only callbacks that block need further threads, one each.
 *
 * <p>A process can run out of threads ({@code ulimit -u}, {@code pids.max}) at any time. Therefore
 * the first planned task starts the timer thread and a last-resort thread for callbacks, or is
 * refused. Both run until this is closed, so every later task runs and every callback is made.
 */
public final class SystemTimers implements Timers {
    /** Enough that users' callbacks that block do not delay the ones that stop work. */
    private static final int MAX_CALLBACK_THREADS = 64;

    private final ThreadFactory threads;
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, r -> thread("timer", r));
    private final ThreadPoolExecutor store = single("store");
    private final ThreadPoolExecutor callbacks = new ThreadPoolExecutor(
            0, MAX_CALLBACK_THREADS, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), r -> thread("callback", r));
    /** Makes callbacks when no other thread can be started, or all of them block. */
    private final ThreadPoolExecutor lastResort = single("last-resort");

    private volatile boolean ready;

    public SystemTimers() {
        this(Thread::new);
    }

    /** @param threads creates the threads, which get their names here */
    public SystemTimers(ThreadFactory threads) {
        this.threads = threads;
        clock.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        try {
            makeReady();
            ScheduledFuture<?> scheduled = clock.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            // Closed: planned tasks no longer run.
            return () -> {};
        } catch (OutOfMemoryError e) {
            throw noThread(e);
        }
    }

    /**
     * Called before a task is queued: a queued task would run later although its caller was
     * refused.
     */
    private void makeReady() {
        if (!ready) {
            clock.prestartCoreThread();
            lastResort.prestartCoreThread();
            ready = true;
        }
    }

    @Override
    public void run(Lane lane, Runnable task) {
        ThreadPoolExecutor pool = lane == Lane.STORE ? store : callbacks;
        Runnable guarded = () -> guarded(task);
        try {
            pool.execute(guarded);
        } catch (RejectedExecutionException e) {
            if (pool.isShutdown()) {
                System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "closed: a late task was dropped");
            } else {
                lastResort.execute(guarded);
            }
        } catch (OutOfMemoryError e) {
            // The pool may have queued the task, and must not run it a second time.
            pool.remove(guarded);
            if (lane == Lane.STORE || !ready) {
                throw noThread(e);
            }
            lastResort.getQueue().add(guarded);
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
        lastResort.shutdown();
    }

    /** A callback that throws must not end the thread, which other leases need. */
    @SuppressWarnings("CatchingUnchecked")
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Failure.log("a lease callback failed", e);
        }
    }

    /** Its thread runs until this is closed, because it may not be possible to start it again. */
    private ThreadPoolExecutor single(String name) {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), r -> thread(name, r));
    }

    private Thread thread(String name, Runnable task) {
        Thread thread = threads.newThread(task);
        thread.setName("leasehold-" + name);
        thread.setDaemon(true);
        return thread;
    }

    private static RejectedExecutionException noThread(OutOfMemoryError e) {
        return new RejectedExecutionException(
                "no thread can be started (" + e.getMessage()
                        + "): the user or the container has reached its limit."
                        + " Raise the limit (ulimit -u, pids.max) or stop other programs",
                e);
    }
}
