package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Gives a lease back.
 *
 * @param minHoldMs the name stays taken until this long after it was acquired
 */
public record ReleaseCall(
        @Required String name,
        @Required long token,
        @Nullable String attempt,
        @Nullable String store,
        @Nullable Long minHoldMs)
        implements GrantPart {}
