package dev.leasehold.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that is to be looked after every so often, by a thread of its own that ends when there has been nothing for a
 * while. Safe for use by many threads.
 */
public final class SystemChore implements AutoCloseable {
    private static final int IDLE_LOOKS = 30;

    private final String name;
    private final long everyMillis;
    private final BooleanSupplier round;
    private volatile @Nullable Thread working;
    private volatile boolean closed;

    /** @param round does what is due now, and says whether there is anything left to look after */
    public SystemChore(String name, long everyMillis, BooleanSupplier round) {
        this.name = name;
        this.everyMillis = everyMillis;
        this.round = round;
    }

    /** To be called when there is something new to look after; costs nothing while the thread is there. */
    public void begin() {
        if (working == null && !closed) {
            start();
        }
    }

    private synchronized void start() {
        if (working == null) {
            Thread thread = new Thread(this::work, name);
            thread.setDaemon(true);
            working = thread;
            boolean started = false;
            try {
                thread.start();
                started = true;
            } finally {
                if (!started) {
                    // No thread is to be had now; whoever begins next tries again.
                    working = null;
                }
            }
        }
    }

    private void work() {
        try {
            int idle = 0;
            while (!closed && idle < IDLE_LOOKS) {
                Thread.sleep(everyMillis);
                idle = round.getAsBoolean() ? 0 : idle + 1;
            }
        } catch (InterruptedException e) {
            // It is to end.
        } finally {
            working = null;
        }
        if (!closed && round.getAsBoolean()) {
            // Somebody began while this was about to end.
            start();
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
