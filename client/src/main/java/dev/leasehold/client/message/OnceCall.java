package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * A step of a call that must not be repeated; which of them, the path says.
 *
 * @param id names the call
 * @param note what to record of the target's answer
 * @param made for a settlement: whether the target acted
 */
public record OnceCall(
        @Required String id,
        @Required String name,
        @Required long token,
        @Nullable String attempt,
        @Nullable String store,
        @Nullable String note,
        @Nullable Boolean made)
        implements GrantPart {}
