package dev.leasehold.internal;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One call for ownership with all its polls and retries under one attempt id: a reply that was lost gives the grant back
 * at the next try, so the sender is neither locked out by itself nor an owner without knowing.
 */
public final class Acquirer {
    private static final Duration RETRY = Duration.ofMillis(50);
    private static final int MIN_TRIES = 3;
    private static final int MAX_SPENT = 10;

    private final LeaseStore store;
    private final EngineContext context;

    public Acquirer(LeaseStore store, EngineContext context) {
        this.store = store;
        this.context = context;
    }

    /** The result of an acquire. */
    public sealed interface Outcome {}

    /**
     * The caller is the owner.
     *
     * @param asked the stamp from before the call that succeeded: trust counts from there
     */
    public record Won(Acquisition.Granted granted, ClockReading asked) implements Outcome {}

    /** Another holder has the lease. */
    public record Taken(Acquisition.Busy busy) implements Outcome {}

    /**
     * Tries until it is granted or {@code wait} has passed, and once in any case.
     *
     * @throws StoreUnavailableException if the store did not answer; what it may have granted was given back, best effort
     */
    public Outcome acquire(LeaseName name, Holder holder, Duration ttl, Duration wait) throws InterruptedException {
        try (Waiting waiting = new Waiting(store, name, context.timers())) {
            return new Call(name, holder, ttl, wait, waiting).run();
        }
    }

    private final class Call {
        private final LeaseName name;
        private final Holder holder;
        private final Duration ttl;
        private final Duration wait;
        private final Waiting waiting;
        private final ClockReading started = context.ticker().read();
        private AttemptId attempt = AttemptId.of(context.ids().unique());
        private int failures;
        private int spent;

        Call(LeaseName name, Holder holder, Duration ttl, Duration wait, Waiting waiting) {
            this.name = name;
            this.holder = holder;
            this.ttl = ttl;
            this.wait = wait;
            this.waiting = waiting;
        }

        Outcome run() throws InterruptedException {
            try {
                while (true) {
                    ClockReading asked = context.ticker().read();
                    Outcome outcome = ask(asked, wait.minus(started.elapsedUntil(asked)));
                    if (outcome != null) {
                        return outcome;
                    }
                }
            } catch (InterruptedException | RuntimeException | Error e) {
                abandon(e);
                throw e;
            }
        }

        /** Null if it is worth asking again. */
        private @Nullable Outcome ask(ClockReading asked, Duration left) throws InterruptedException {
            boolean last = left.isNegative() || left.isZero();
            Acquisition answer;
            try {
                answer = store.acquire(name, attempt, holder, ttl);
                failures = 0;
            } catch (StoreUnavailableException e) {
                if (++failures >= MIN_TRIES && last) {
                    throw e;
                }
                context.timers().sleep(RETRY);
                return null;
            }
            if (answer instanceof Acquisition.Granted granted) {
                return new Won(granted, asked);
            }
            if (answer instanceof Acquisition.Busy busy) {
                if (last) {
                    return new Taken(busy);
                }
                waiting.pause(left, busy.remaining());
                return null;
            }
            drawAnotherAttempt();
            return null;
        }

        /** Our own grant ran out while replies were lost. Without a new id we would wait for ourselves. */
        private void drawAnotherAttempt() {
            if (++spent > MAX_SPENT) {
                throw new StoreUnavailableException("the store grants " + name
                        + " for less time than its answers take to" + " arrive; raise the ttl or look at the store");
            }
            attempt = AttemptId.of(context.ids().unique());
        }

        /**
         * The last word of a sender that gives up, whatever made it: if it was granted after all, nobody should have to wait
         * for its ttl. Best effort by its nature. A request that is still on its way may be granted after this word, and then
         * the ttl frees the name: nobody renews that grant, because nobody was told of it.
         */
        @SuppressWarnings("CatchingUnchecked")
        private void abandon(Throwable cause) {
            try {
                store.abandon(name, attempt);
            } catch (RuntimeException | Error e) {
                cause.addSuppressed(e);
            }
        }
    }
}
