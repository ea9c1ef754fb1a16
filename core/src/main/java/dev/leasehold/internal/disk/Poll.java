package dev.leasehold.internal.disk;

import java.util.concurrent.locks.LockSupport;

/** The pauses between looks at something that does not announce itself: short at first, until a deadline or an interrupt. */
final class Poll {
    private static final long FIRST_NANOS = 100_000;
    private static final long LAST_NANOS = 10_000_000;

    private final long deadline;
    private long pause = FIRST_NANOS;

    /** @param deadline as {@link System#nanoTime} counts */
    Poll(long deadline) {
        this.deadline = deadline;
    }

    /** False, at once, if there is no time left or the thread was interrupted: with the flag set, no pause would last. */
    boolean pause() {
        long left = deadline - System.nanoTime();
        if (left <= 0 || Thread.currentThread().isInterrupted()) {
            return false;
        }
        LockSupport.parkNanos(Math.min(left, pause));
        pause = Math.min(LAST_NANOS, pause * 2);
        return true;
    }
}
