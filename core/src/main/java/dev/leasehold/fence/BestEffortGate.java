package dev.leasehold.fence;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * For targets that cannot check a token themselves: mail, a third-party API, a program that writes in place. It asks the
 * store immediately before the action.
 *
 * <p><strong>A window remains</strong> between the store's answer and the effect: this process can be paused in it and act
 * as a zombie afterwards. The result says how long the window was. Use a {@link Fence} wherever the target allows one.
 */
public final class BestEffortGate {
    private final LeaseStore store;
    private final Ticker ticker;

    public BestEffortGate(LeaseStore store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
    }

    /** The result of an attempt to pass the gate. */
    public sealed interface Passage<T> {
        /**
         * The store called the grant current, then the action ran.
         *
         * @param window from before the store was asked until the action ended; within it the lease may have been lost
         */
        record BestEffort<T>(T value, Duration window) implements Passage<T> {}

        /** The grant was not current; the action did not run. */
        record Refused<T>(Loss loss) implements Passage<T> {}
    }

    public <T> Passage<T> pass(Grant grant, Callable<T> action) throws Exception {
        ClockReading asked = ticker.read();
        Optional<Loss> loss = check(grant);
        if (loss.isPresent()) {
            return new Passage.Refused<>(loss.get());
        }
        T value = action.call();
        return new Passage.BestEffort<>(value, asked.elapsedUntil(ticker.read()));
    }

    /** Why the store does not call the grant current, or empty if it did a moment ago. */
    public Optional<Loss> check(Grant grant) {
        // A renewal by nothing changes nothing, and gets the same judgement as a real one.
        Renewal renewal =
                store.renew(List.of(new RenewRequest(grant, Duration.ZERO))).get(0);
        if (renewal instanceof Renewal.Unknown unknown) {
            throw new StoreUnavailableException(unknown.why());
        }
        return renewal instanceof Renewal.NotRenewed not ? Optional.of(not.loss()) : Optional.empty();
    }
}
