package dev.leasehold;

import dev.leasehold.model.Loss;
import org.jspecify.annotations.Nullable;

/** The outcome of running work under a lease. */
public sealed interface RunOutcome<T> {
    /** The work returned while the lease was trusted. */
    record Ran<T>(T value) implements RunOutcome<T> {}

    /** The lease was busy, so the work did not run. Not a failure. */
    record Skipped<T>(AcquireResult.Busy busy) implements RunOutcome<T> {}

    /**
     * The lease was lost while the work ran. What the work did afterwards counts only where a fence
     * admitted it.
     *
     * @param failure what the work threw when it was interrupted, or null if it returned
     */
    record Lost<T>(Loss loss, @Nullable Exception failure) implements RunOutcome<T> {}
}
