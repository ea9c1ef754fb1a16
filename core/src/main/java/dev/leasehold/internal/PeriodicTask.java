package dev.leasehold.internal;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that is to be looked after every so often, by a thread of its own that ends when there has been nothing for a
 * while. Safe for use by many threads.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final int IDLE_LOOKS = 30;

    private final ThreadFactory threads;
    private final String name;
    private final long everyMillis;
    private final BooleanSupplier round;
    private volatile @Nullable Thread working;
    private volatile boolean closed;

    /** @param round does what is due now, and says whether there is anything left to look after */
    public PeriodicTask(String name, long everyMillis, BooleanSupplier round) {
        this(name, everyMillis, round, Thread::new);
    }

    /** @param threads makes the thread; it gets its name here */
    PeriodicTask(String name, long everyMillis, BooleanSupplier round, ThreadFactory threads) {
        this.threads = threads;
        this.name = name;
        this.everyMillis = everyMillis;
        this.round = round;
    }

    /**
     * To be called when there is something new to look after; costs nothing while the thread is there. If no thread can be
     * started, it is looked after from a later call on.
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
                // The caller can do without for now; whoever begins next tries again.
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
            // It is to end.
        } finally {
            working = null;
        }
        if (!closed && round()) {
            // Somebody began while this was about to end.
            start();
        }
    }

    /** A round that fails leaves what it looks after for the next one. */
    @SuppressWarnings("CatchingUnchecked")
    private boolean round() {
        try {
            return round.getAsBoolean();
        } catch (RuntimeException | Error e) {
            Failure.log(name + " failed, and goes on", e);
            return true;
        }
    }

    /** Ends the thread now and not after a while; whatever begins later gets another one. */
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
