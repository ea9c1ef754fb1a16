package dev.leasehold.cli.child;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Copies one output stream of the command to one of the wrapper's. */
final class OutputPump {
    /**
     * After the end of the command, its pipe normally ends as soon as it is empty. A pipe that stays
     * open belongs to a process that left the session, and counts as empty when it is silent for
     * this long: long enough that this thread was not just waiting for a busy machine.
     */
    private static final Duration QUIET = Duration.ofSeconds(2);
    /** A pipe that never falls silent is given up. */
    private static final int MOST_CHECKS = 3;

    private final InputStream from;
    private final OutputStream to;
    private final Runnable onOutput;
    private final AtomicLong chunks = new AtomicLong();
    private final Thread thread;

    OutputPump(InputStream from, OutputStream to, Runnable onOutput, ThreadFactory threads, String name) {
        this.from = from;
        this.to = to;
        this.onOutput = onOutput;
        thread = threads.newThread(this::copy);
        thread.setName(name);
        thread.setDaemon(true);
        thread.start();
    }

    private void copy() {
        // As much as a pipe holds.
        byte[] buffer = new byte[64 * 1024];
        // Closing our end after a failed write sends the command the SIGPIPE that it would get
        // without us.
        try (from) {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                chunks.incrementAndGet();
                to.write(buffer, 0, n);
                to.flush();
                onOutput.run();
            }
        } catch (IOException gone) {
            // One side is closed, so there is nothing left to copy.
        }
    }

    /**
     * Waits until the whole output of the command has arrived. Bounded, because a process that left
     * the session may keep the pipe open for ever.
     */
    void drain() throws InterruptedException {
        for (int check = 0; check < MOST_CHECKS; check++) {
            long before = chunks.get();
            thread.join(QUIET.toMillis());
            if (!thread.isAlive() || chunks.get() == before) {
                return;
            }
        }
    }
}
