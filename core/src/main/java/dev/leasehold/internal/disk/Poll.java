package dev.leasehold.internal.disk;

import java.util.concurrent.locks.LockSupport;

/** Growing pauses between polls, until a deadline or an interrupt. */
final class Poll {
    private static final long FIRST_NANOS = 100_000;
    private static final long LAST_NANOS = 10_000_000;

    private final long deadline;
    private long pause = FIRST_NANOS;

    /** @param deadline in terms of {@link System#nanoTime} */
    Poll(long deadline) {
        this.deadline = deadline;
    }

    /**
     * Returns false at once if no time is left or the thread is interrupted, because then it could
     * not pause.
     */
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
