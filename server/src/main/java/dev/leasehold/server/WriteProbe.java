package dev.leasehold.server;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether the store takes writes: a disk that is full or read-only still answers questions, and grants
 * nothing. A write that succeeded is believed for a while, because those who ask whether a server is ready
 * ask often.
 */
final class WriteProbe {
    /** One for all servers of a store, so that nothing grows. */
    static final String KEY = "server-ready";

    private static final long BELIEVED_NANOS = Duration.ofSeconds(15).toNanos();
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final CasRegister register;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, as the time of it. */
    private boolean succeeded;

    private long succeededAt;

    WriteProbe(CasRegister register) {
        this.register = register;
    }

    /** @throws StoreUnavailableException if the store takes no write */
    void run() {
        // A store that hangs must not hold all threads, one for each question.
        if (!locked()) {
            throw new StoreUnavailableException("the store has not answered a write yet");
        }
        try {
            probe();
        } finally {
            lock.unlock();
        }
    }

    private boolean locked() {
        try {
            return lock.tryLock(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void probe() {
        long now = System.nanoTime();
        if (succeeded && now - succeededAt < BELIEVED_NANOS) {
            return;
        }
        succeeded = false;
        CasRegister.Reading reading = register.read(KEY);
        // If that is false, another server has just written.
        boolean unused = register.compareAndSet(KEY, reading.version(), "probe " + reading.at());
        succeeded = true;
        succeededAt = now;
    }
}
