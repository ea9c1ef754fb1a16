package dev.leasehold.internal;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Stamp;
import dev.leasehold.spi.Surroundings;
import java.time.Duration;

/**
 * One call for ownership with all its polls and retries under one attempt id: a reply that was lost gives the grant back
 * at the next try, so the sender is neither locked out by itself nor an owner without knowing.
 */
public final class Acquirer {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration RETRY = Duration.ofMillis(50);
    private static final int MIN_TRIES = 3;
    private static final int MAX_SPENT = 10;

    private final LeaseStore store;
    private final Surroundings surroundings;

    public Acquirer(LeaseStore store, Surroundings surroundings) {
        this.store = store;
        this.surroundings = surroundings;
    }

    public sealed interface Outcome {}

    /**
     * The caller is the owner.
     *
     * @param asked the stamp from before the call that succeeded: trust counts from there
     */
    public record Won(Acquisition.Granted granted, Stamp asked) implements Outcome {}

    public record Taken(Acquisition.Busy busy) implements Outcome {}

    /**
     * Tries until it is granted or {@code wait} has passed, and once in any case.
     *
     * @throws StoreUnavailableException if the store did not answer; what it may have granted was given back, best effort
     */
    public Outcome acquire(LeaseName name, Holder holder, Duration ttl, Duration wait) throws InterruptedException {
        Stamp started = surroundings.ticker().read();
        AttemptId attempt = AttemptId.of(surroundings.ids().unique());
        int failures = 0;
        int spent = 0;
        while (true) {
            Stamp asked = surroundings.ticker().read();
            Duration left = wait.minus(started.elapsedUntil(asked));
            Duration pause;
            try {
                Acquisition answer = store.acquire(name, attempt, holder, ttl);
                failures = 0;
                if (answer instanceof Acquisition.Granted granted) {
                    return new Won(granted, asked);
                }
                if (answer instanceof Acquisition.Busy busy) {
                    if (left.isNegative() || left.isZero()) {
                        return new Taken(busy);
                    }
                    pause = shortest(POLL, left, busy.remaining());
                } else {
                    // Our own grant ran out while replies were lost. A new id, or we would wait for ourselves.
                    attempt = AttemptId.of(surroundings.ids().unique());
                    pause = Duration.ZERO;
                    if (++spent > MAX_SPENT) {
                        throw new StoreUnavailableException(
                                "the store grants " + name + " for less time than its answers"
                                        + " take to arrive; raise the ttl or look at the store");
                    }
                }
            } catch (StoreUnavailableException e) {
                if (++failures >= MIN_TRIES && (left.isNegative() || left.isZero())) {
                    abandon(name, attempt);
                    throw e;
                }
                pause = RETRY;
            }
            pause(pause, name, attempt);
        }
    }

    private void pause(Duration pause, LeaseName name, AttemptId attempt) throws InterruptedException {
        try {
            surroundings.timers().sleep(pause);
        } catch (InterruptedException e) {
            abandon(name, attempt);
            throw e;
        }
    }

    /** The last word of a sender that gives up: if it was granted after all, nobody should have to wait for its ttl. */
    private void abandon(LeaseName name, AttemptId attempt) {
        try {
            store.abandon(name, attempt);
        } catch (StoreUnavailableException e) {
            // Best effort by its nature: the ttl frees the name in any case.
        }
    }

    private static Duration shortest(Duration a, Duration b, Duration c) {
        Duration ab = a.compareTo(b) < 0 ? a : b;
        Duration least = ab.compareTo(c) < 0 ? ab : c;
        return least.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : least;
    }
}
