package dev.leasehold.internal.turns;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends notices in the background, because their senders may have a lease, and should neither wait nor be interrupted. What cannot be
 * sent is dropped: then others ask in vain.
 */
final class Announcements implements AutoCloseable {
    private static final int MOST = 1000;
    private static final int IDLE_SECONDS = 10;

    private final WaitingLines.Announcer announcer;
    private @Nullable ExecutorService thread;
    private boolean closed;

    Announcements(WaitingLines.Announcer announcer) {
        this.announcer = announcer;
    }

    synchronized void send(String name, TurnMessage.Notice notice) {
        if (closed) {
            return;
        }
        if (thread == null) {
            thread = oneThread();
        }
        try {
            thread.execute(() -> announce(name, notice));
        } catch (OutOfMemoryError noThread) {
            // The next one tries again.
        }
    }

    private void announce(String name, TurnMessage.Notice notice) {
        try {
            announcer.announce(name, notice);
        } catch (RuntimeException e) {
            // Dropped.
        }
    }

    /** Ends when it has been idle for a while. */
    private static ExecutorService oneThread() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST),
                work -> {
                    Thread thread = new Thread(work, "leasehold-announce");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
