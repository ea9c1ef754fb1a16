package dev.leasehold;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import java.time.Duration;
import java.util.Optional;

/** What came of trying to get a lease. Busy is a normal answer, not an error. */
public sealed interface AcquireResult {
    /** The lease, if it was acquired. */
    default Optional<Lease> lease() {
        return this instanceof Acquired acquired ? Optional.of(acquired.held()) : Optional.empty();
    }

    record Acquired(Lease held) implements AcquireResult {}

    /**
     * Somebody else has it.
     *
     * @param remaining until its deadline, which the holder may move ahead
     */
    record Busy(FencingToken token, Holder holder, Duration remaining) implements AcquireResult {}
}
