package dev.leasehold.redis;

import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A waiter for one name. While no listener serves it, for example after the connection broke, it
 * polls.
 */
final class RedisWatch implements Watch {
    private static final Duration POLL = Duration.ofMillis(200);

    private final RedisWakeups wakeups;
    private final String channel;
    private final Semaphore signals = new Semaphore(0);
    /** The listener for which the record was marked. A new listener has to mark it again. */
    private volatile @Nullable Object markedFor;

    RedisWatch(RedisWakeups wakeups, String channel) {
        this.wakeups = wakeups;
        this.channel = channel;
    }

    String channel() {
        return channel;
    }

    boolean isSignalled() {
        return signals.availablePermits() > 0;
    }

    void wake() {
        signals.release();
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        Object marked = markedFor;
        if (marked != null && marked == wakeups.listenerOf(this).orElse(null)) {
            awaitSignal(atMost);
        } else if (!mark()) {
            awaitSignal(atMost.compareTo(POLL) > 0 ? POLL : atMost);
        }
        // If the mark is new, the name may have become free before it: the caller asks again at once.
    }

    /** Requests messages about releases from now on; false if that failed. */
    boolean mark() {
        Object listener = wakeups.listenerOf(this).orElse(null);
        markedFor = listener != null && wakeups.mark(channel) ? listener : null;
        return markedFor != null;
    }

    /** Several signals count as one: a woken waiter checks everything that happened. */
    void awaitSignal(Duration atMost) throws InterruptedException {
        if (signals.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            signals.drainPermits();
        }
    }

    @Override
    public void close() {
        wakeups.remove(this);
    }
}
