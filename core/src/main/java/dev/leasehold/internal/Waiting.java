package dev.leasehold.internal;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The pauses of a waiter: until the store wakes it, if it can, and a short time otherwise. */
final class Waiting implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final LeaseStore store;
    private final LeaseName name;
    private final Timers timers;
    private boolean started;
    private @Nullable Watch watch;

    Waiting(LeaseStore store, LeaseName name, Timers timers) {
        this.store = store;
        this.name = name;
        this.timers = timers;
    }

    /**
     * Waits until the store should be asked again.
     *
     * @param left how long the caller is willing to wait
     * @param remaining the time until the deadline; the store does not signal that it has passed
     */
    void pause(Duration left, Duration remaining) throws InterruptedException {
        Duration atMost = longest(SHORTEST, shortest(left, remaining));
        if (!started) {
            started = true;
            watch = store.watch(name).orElse(null);
            if (watch != null) {
                // The lease may have become free before the watch began.
                return;
            }
        }
        if (watch == null) {
            timers.sleep(shortest(POLL, atMost));
        } else {
            watch.await(atMost);
        }
    }

    /** Never throws: a failure here must not lose a grant. */
    @Override
    @SuppressWarnings("CatchingUnchecked")
    public void close() {
        try {
            if (watch != null) {
                watch.close();
            }
        } catch (RuntimeException | Error e) {
            Failure.log("a watch on a lease could not be closed", e);
        }
    }

    private static Duration shortest(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longest(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
