package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Gives a lease back.
 *
 * @param minHoldMs the name stays taken until this long after it was acquired
 * @param reason of somebody who gives back the lease of another; it is kept in the log of runs
 */
public record ReleaseCall(
        @Required String name,
        @Required long token,
        @Nullable String attempt,
        @Nullable String store,
        @Nullable Long minHoldMs,
        @Nullable String reason)
        implements GrantPart {}
