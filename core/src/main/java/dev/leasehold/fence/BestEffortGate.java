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
 * Asks the store immediately before an action, for targets that cannot check a token. It
 * remembers nothing.
 *
 * <p><strong>A window remains</strong> between the store's answer and the action: a process that is
 * paused in it acts as a zombie afterwards. The result contains the length of the window. Use a
 * {@link Fence} wherever the target allows one; {@code dev.leasehold.work.SideEffect} explains the
 * other choices.
 */
public final class BestEffortGate {
    private final LeaseStore store;
    private final Ticker ticker;

    public BestEffortGate(LeaseStore store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
    }

    /** What became of an action. */
    public sealed interface Passage<T> {
        /**
         * The store called the grant current, then the action ran.
         *
         * @param window from before the store was asked until the action ended; the lease may have
         *     been lost within it
         */
        record BestEffort<T>(T value, Duration window) implements Passage<T> {}

        /** The grant was not current. The action did not run. */
        record Refused<T>(Loss loss) implements Passage<T> {}
    }

    /** Runs the action if the store calls the grant current. */
    public <T> Passage<T> pass(Grant grant, Callable<T> action) throws Exception {
        ClockReading asked = ticker.read();
        Optional<Loss> loss = check(grant);
        if (loss.isPresent()) {
            return new Passage.Refused<>(loss.get());
        }
        T value = action.call();
        return new Passage.BestEffort<>(value, asked.elapsedUntil(ticker.read()));
    }

    /** Why the grant is not current, or empty if the store called it current a moment ago. */
    public Optional<Loss> check(Grant grant) {
        // A renewal by zero changes nothing, and the store judges it like a real one.
        Renewal renewal =
                store.renew(List.of(new RenewRequest(grant, Duration.ZERO))).get(0);
        if (renewal instanceof Renewal.Unknown unknown) {
            throw new StoreUnavailableException(unknown.why());
        }
        return renewal instanceof Renewal.NotRenewed not ? Optional.of(not.loss()) : Optional.empty();
    }
}
