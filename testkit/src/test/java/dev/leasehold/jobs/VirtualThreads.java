package dev.leasehold.jobs;

import dev.leasehold.testkit.ManualTimers;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Threads that live in virtual time: one of them, or the test, runs at any moment. Whoever starts or wakes one waits until it
 * sleeps or ends, so that long work of several machines overlaps and every run of a test goes the same way.
 */
final class VirtualThreads {
    /** An interrupt is noticed after at most this much virtual time. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    private static final ThreadLocal<Strand> CURRENT = new ThreadLocal<>();

    private final ManualTimers timers;

    VirtualThreads(ManualTimers timers) {
        this.timers = timers;
    }

    private static final class Strand {
        private final Semaphore go = new Semaphore(0);
        private final Semaphore paused = new Semaphore(0);
    }

    void run(Runnable task) {
        Strand strand = new Strand();
        Thread thread = new Thread(() -> {
            CURRENT.set(strand);
            try {
                task.run();
            } finally {
                strand.paused.release();
            }
        });
        thread.setDaemon(true);
        thread.start();
        strand.paused.acquireUninterruptibly();
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
            Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
            timers.after(slice, () -> {
                strand.go.release();
                strand.paused.acquireUninterruptibly();
            });
            strand.paused.release();
            strand.go.acquireUninterruptibly();
            left = left.minus(slice);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
