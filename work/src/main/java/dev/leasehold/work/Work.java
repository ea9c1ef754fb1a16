package dev.leasehold.work;

import org.jspecify.annotations.Nullable;

/** The work to do for a key. */
@FunctionalInterface
public interface Work {
    /**
     * Returns the result to store, at most {@value WorkResult#MAX_BYTES} bytes, or null for none.
     */
    @Nullable
    String run(OngoingWork work) throws Exception;
}
