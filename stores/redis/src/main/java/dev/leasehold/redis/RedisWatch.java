package dev.leasehold.redis;

import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One waiter for one name. While nobody listens for it (the connection broke), it wakes often enough to look by itself. */
final class RedisWatch implements Watch {
    private static final Duration LONGEST_BLIND = Duration.ofMillis(200);

    private final RedisWakeups wakeups;
    private final String channel;
    private final Semaphore signals = new Semaphore(0);

    RedisWatch(RedisWakeups wakeups, String channel) {
        this.wakeups = wakeups;
        this.channel = channel;
    }

    String channel() {
        return channel;
    }

    void wake() {
        signals.release();
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        boolean blind = !wakeups.listensFor(this);
        Duration wait = blind && atMost.compareTo(LONGEST_BLIND) > 0 ? LONGEST_BLIND : atMost;
        awaitSignal(wait);
    }

    /** Several signals count as one: whoever wakes looks at everything that happened. */
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
