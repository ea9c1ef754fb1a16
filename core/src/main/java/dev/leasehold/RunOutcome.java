package dev.leasehold;

import dev.leasehold.model.Loss;
import org.jspecify.annotations.Nullable;

/** What became of work that was run under a lease. */
public sealed interface RunOutcome<T> {
    /** The work ended while the lease was trusted. */
    record Ran<T>(T value) implements RunOutcome<T> {}

    /** The lease was busy, so the work was not started. Not a failure. */
    record Skipped<T>(AcquireResult.Busy busy) implements RunOutcome<T> {}

    /**
     * The lease was lost while the work ran. Whatever the work did after that counts only where a fence let it through.
     *
     * @param failure what the work threw when it was interrupted, or null if it returned
     */
    record Lost<T>(Loss loss, @Nullable Exception failure) implements RunOutcome<T> {}
}
