package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Shows a grant to a fence that the server keeps.
 *
 * @param resource the name of what is guarded, as the caller chooses it
 * @param digest for a write that happens once: what is written, so that a retry is recognized
 */
public record FenceCall(
        @Required String resource,
        @Required String name,
        @Required long token,
        @Nullable String attempt,
        @Nullable String store,
        @Nullable String digest)
        implements GrantPart {}
