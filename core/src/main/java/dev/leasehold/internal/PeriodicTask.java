package dev.leasehold.internal;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A periodic task whose thread stops when it has been idle for a while. Safe for use by many
 * threads.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final int IDLE_LOOKS = 30;

    private final ThreadFactory threads;
    private final String name;
    private final long everyMillis;
    private final BooleanSupplier round;
    private volatile @Nullable Thread working;
    private volatile boolean closed;

    /** @param round does what is due now, and returns whether there is anything left to watch */
    public PeriodicTask(String name, long everyMillis, BooleanSupplier round) {
        this(name, everyMillis, round, Thread::new);
    }

    /** @param threads creates the thread, which gets its name here */
    PeriodicTask(String name, long everyMillis, BooleanSupplier round, ThreadFactory threads) {
        this.threads = threads;
        this.name = name;
        this.everyMillis = everyMillis;
        this.round = round;
    }

    /**
     * Starts the thread if it does not run. Call this when there is something new to watch; it is
     * cheap while the thread runs. If no thread can be started, a later call tries again.
     */
    public void begin() {
        if (working == null && !closed) {
            start();
        }
    }

    private synchronized void start() {
        if (working == null) {
            Thread thread = threads.newThread(this::work);
            thread.setName(name);
            thread.setDaemon(true);
            working = thread;
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) {
                // The caller can do without it for now; the next call tries again.
                working = null;
                System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, name + " has no thread", noThread);
            }
        }
    }

    private void work() {
        try {
            int idle = 0;
            while (!closed && idle < IDLE_LOOKS) {
                Thread.sleep(everyMillis);
                idle = round() ? 0 : idle + 1;
            }
        } catch (InterruptedException e) {
            // rest() or close() was called.
        } finally {
            working = null;
        }
        if (!closed && round()) {
            // begin() was called while this thread was ending.
            start();
        }
    }

    /** If a round fails, the next one does its work. */
    @SuppressWarnings("CatchingUnchecked")
    private boolean round() {
        try {
            return round.getAsBoolean();
        } catch (RuntimeException | Error e) {
            Failure.log(name + " failed; it will be tried again", e);
            return true;
        }
    }

    /** Stops the thread now. The next {@link #begin} starts another one. */
    public void rest() {
        Thread thread = working;
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        rest();
    }
}
