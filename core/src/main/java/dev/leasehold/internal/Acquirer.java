package dev.leasehold.internal;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lease, with all its polls and retries under one attempt id. If the store grants
 * the lease but its reply is lost, the next try gets the same grant back: the caller is neither
 * locked out by itself nor an owner without knowing it.
 */
public final class Acquirer {
    private static final Duration RETRY = Duration.ofMillis(50);
    private static final int MIN_TRIES = 3;

    /** A pool makes its callers wait for a connection. After such a wait, another try would only double it. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private static final int MAX_SPENT = 10;

    private final LeaseStore store;
    private final EngineContext context;
    private final LeaseName name;
    private final Holder holder;
    private final Duration ttl;
    private AttemptId attempt;
    private ClockReading asked;
    private int failures;
    private int spent;
    /** Whether the store may have received a request with this attempt id. */
    private boolean sent;
    /** Whether the latest try waited long for a connection, in vain. */
    private boolean hopeless;
    /** Made when the lease turns out to be busy. */
    private @Nullable Waiting waiting;

    public Acquirer(LeaseStore store, EngineContext context, LeaseName name, Holder holder, Duration ttl) {
        this.store = store;
        this.context = context;
        this.name = name;
        this.holder = holder;
        this.ttl = ttl;
        this.attempt = AttemptId.of(context.ids().unique());
        this.asked = context.ticker().read();
    }

    /**
     * Tries at least once, and then until the lease is granted or {@code wait} has passed. Returns
     * {@link Acquisition.Granted} or {@link Acquisition.Busy}.
     *
     * @throws StoreUnavailableException if the store did not answer; a grant that it may have made
     *     was released, best effort
     */
    public Acquisition acquire(Duration wait) throws InterruptedException {
        ClockReading started = asked;
        try {
            while (true) {
                asked = context.ticker().read();
                Acquisition answer = ask(wait.minus(started.elapsedUntil(asked)));
                if (answer != null) {
                    return answer;
                }
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            abandon(e);
            throw e;
        } finally {
            if (waiting != null) {
                waiting.close();
            }
        }
    }

    /**
     * The clocks just before the call that the store answered: trust in the grant counts from
     * there.
     */
    public ClockReading asked() {
        return asked;
    }

    /** Null if the store should be asked again. */
    private @Nullable Acquisition ask(Duration left) throws InterruptedException {
        boolean last = left.isNegative() || left.isZero();
        boolean sentBefore = sent;
        Acquisition answer;
        try {
            sent = true;
            answer = store.acquire(name, attempt, holder, ttl);
            hopeless = false;
            failures = 0;
        } catch (StoreMovedException e) {
            // It never comes back.
            throw e;
        } catch (StoreUnavailableException e) {
            sent = sentBefore || !(e instanceof StoreUnreachableException);
            if (isLastTry(e, left)) {
                throw e;
            }
            context.timers().sleep(RETRY);
            return null;
        }
        if (answer instanceof Acquisition.Granted) {
            return answer;
        }
        if (answer instanceof Acquisition.Busy busy) {
            if (last) {
                return answer;
            }
            if (waiting == null) {
                waiting = new Waiting(store, name, context.timers());
            }
            waiting.pause(left, busy.remaining());
        } else {
            drawAnotherAttempt();
        }
        return null;
    }

    private boolean isLastTry(StoreUnavailableException failure, Duration left) {
        Duration took = asked.elapsedUntil(context.ticker().read());
        hopeless = failure instanceof StoreUnreachableException && took.compareTo(SLOW) >= 0;
        failures++;
        return left.compareTo(took) <= 0 && (hopeless || failures >= MIN_TRIES);
    }

    /**
     * Our own grant expired while replies were lost. With the old id, this request would wait for
     * itself.
     */
    private void drawAnotherAttempt() {
        if (++spent > MAX_SPENT) {
            throw new StoreUnavailableException(
                    "the ttl of " + DurationText.show(ttl) + " is shorter than the store takes to"
                            + " answer: every grant of " + name
                            + " expired before it arrived. Raise the ttl, or find out why the"
                            + " store is slow");
        }
        attempt = AttemptId.of(context.ids().unique());
    }

    /**
     * Releases what the store may have granted to a request that gives up, so that others need not
     * wait for the ttl. Best effort: a request still on its way may be granted after this. Then the
     * ttl frees the name, because nobody renews that grant. So it does if the store is unreachable.
     */
    @SuppressWarnings("CatchingUnchecked")
    private void abandon(Throwable cause) {
        if (!sent || hopeless) {
            return;
        }
        try {
            store.abandon(name, attempt);
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }
}
