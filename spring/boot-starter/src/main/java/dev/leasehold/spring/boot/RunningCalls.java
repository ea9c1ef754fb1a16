package dev.leasehold.spring.boot;

import dev.leasehold.Lease;
import dev.leasehold.model.DurationText;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The leased methods that run now. At shutdown it interrupts them after the executors had their time,
 * and waits, so that the leases are given back before the pool of connections closes.
 */
final class RunningCalls implements SmartLifecycle {
    private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

    /** After the executors of Spring, which stop at MAX_VALUE / 2 and let their tasks end. */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1000;

    private final Duration drain;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private volatile boolean running;
    private volatile boolean stopping;

    RunningCalls(Duration drain) {
        this.drain = drain;
    }

    /** One call on its thread. */
    final class Entry {
        private final Lease lease;
        private final Thread thread = Thread.currentThread();
        private volatile boolean ended;

        private Entry(Lease lease) {
            this.lease = lease;
        }

        /** The work has ended, and the lease is about to be given back. */
        void ended() {
            ended = true;
        }

        void leave() {
            entries.remove(this);
            lock.lock();
            try {
                left.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** @return null if the application is shutting down: nobody would wait for the call */
    @Nullable
    Entry enter(Lease lease) {
        Entry entry = new Entry(lease);
        entries.add(entry);
        // In this order: either the shutdown sees the entry, or the call sees the shutdown.
        if (stopping) {
            entry.leave();
            return null;
        }
        return entry;
    }

    boolean isStopping() {
        return stopping;
    }

    int count() {
        return entries.size();
    }

    @Override
    public void start() {
        stopping = false;
        running = true;
    }

    @Override
    public void stop() {
        stopping = true;
        for (Entry entry : entries) {
            LOG.log(System.Logger.Level.INFO, "shutdown: interrupting the work under lease " + entry.lease.grant());
            entry.thread.interrupt();
        }
        try {
            await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Entry entry : entries) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "shutdown: "
                            + (entry.ended
                                    ? "lease " + entry.lease.grant()
                                            + " could not be given back, because the store did not" + " answer within "
                                            + DurationText.show(drain) + ". It"
                                    : "the work under lease " + entry.lease.grant()
                                            + " goes on in spite of the interrupt. The lease is not given back, and")
                            + " lasts until its ttl");
        }
        running = false;
    }

    private void await() throws InterruptedException {
        long nanos = drain.toNanos();
        lock.lock();
        try {
            while (!entries.isEmpty() && nanos > 0) {
                nanos = left.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
