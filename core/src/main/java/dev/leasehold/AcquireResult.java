package dev.leasehold;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import java.time.Duration;
import java.util.Optional;

/** The result of trying to acquire a lease. Busy is a normal answer, not an error. */
public sealed interface AcquireResult {
    /** The lease, if it was acquired. */
    default Optional<Lease> lease() {
        return this instanceof Acquired acquired ? Optional.of(acquired.held()) : Optional.empty();
    }

    /** The caller holds the lease. {@link Lease#transfer()} says how ownership changed. */
    record Acquired(Lease held) implements AcquireResult {}

    /**
     * Another holder has the lease.
     *
     * @param remaining the time until its deadline, which the holder may extend
     */
    record Busy(FencingToken token, Holder holder, Duration remaining) implements AcquireResult {}
}
