package dev.leasehold.jobs;

import dev.leasehold.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Threads in virtual time. At any moment either one of them or the test runs: the thread that
 * starts or wakes another waits until that one sleeps or ends. So long work of several machines
 * overlaps, and every run of a test is the same.
 */
final class VirtualThreads {
    private static final ThreadLocal<Strand> CURRENT = new ThreadLocal<>();

    /** Reused, because a search for faults needs many thousands of threads. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    /** An interrupt is noticed after at most this much virtual time. */
    Duration slice = Duration.ofSeconds(1);

    private final ManualTimers timers;

    /** The exceptions that ended one of these threads. */
    final List<Throwable> escaped = new ArrayList<>();

    VirtualThreads(ManualTimers timers) {
        this.timers = timers;
    }

    private static final class Strand {
        private final Semaphore go = new Semaphore(0);
        private final Semaphore paused = new Semaphore(0);
    }

    void run(Runnable task) {
        Strand strand = new Strand();
        THREADS.execute(() -> {
            CURRENT.set(strand);
            try {
                task.run();
            } catch (Throwable e) {
                escaped.add(e);
            } finally {
                CURRENT.remove();
                strand.paused.release();
            }
        });
        strand.paused.acquireUninterruptibly();
    }

    /** Whether the calling thread is one of them. */
    static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    void sleep(Duration duration) throws InterruptedException {
        Strand strand = CURRENT.get();
        if (strand == null) {
            timers.sleep(duration);
            return;
        }
        Duration left = duration;
        while (!left.isZero() && !left.isNegative()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Duration step = left.compareTo(slice) < 0 ? left : slice;
            timers.after(step, () -> {
                strand.go.release();
                strand.paused.acquireUninterruptibly();
            });
            strand.paused.release();
            strand.go.acquireUninterruptibly();
            left = left.minus(step);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
