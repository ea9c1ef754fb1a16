package dev.leasehold.redis;

import dev.leasehold.internal.turns.WaitingLines;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A waiter for one name. While no listener serves it, for example after the connection broke, it
 * polls.
 */
final class RedisWatch implements Watch {
    private static final Duration POLL = Duration.ofMillis(200);

    private final RedisWakeups wakeups;
    private final WaitingLines.Place place;
    private final String channel;
    /** The listener for which the record was marked. A new listener has to mark it again. */
    private volatile @Nullable Object markedFor;

    RedisWatch(RedisWakeups wakeups, WaitingLines.Place place, String channel) {
        this.wakeups = wakeups;
        this.place = place;
        this.channel = channel;
    }

    String channel() {
        return channel;
    }

    WaitingLines.Place place() {
        return place;
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        Object marked = markedFor;
        if (marked != null && marked == wakeups.listenerOf(this).orElse(null)) {
            place.await(atMost);
        } else if (!mark()) {
            place.await(atMost.compareTo(POLL) > 0 ? POLL : atMost);
        }
        // If the mark is new, the name may have become free before it: the caller asks again at once.
    }

    /** Requests messages about releases from now on; false if that failed. */
    boolean mark() {
        Object listener = wakeups.listenerOf(this).orElse(null);
        markedFor = listener != null && wakeups.mark(channel) ? listener : null;
        return markedFor != null;
    }

    @Override
    public void close() {
        wakeups.remove(this);
    }
}
