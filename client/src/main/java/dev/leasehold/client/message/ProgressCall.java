package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/** Reports progress. A note or a checkpoint that is left out stays as it was. */
public record ProgressCall(
        @Required String name,
        @Required long token,
        @Nullable String attempt,
        @Nullable String store,
        @Nullable String note,
        @Nullable String checkpoint)
        implements GrantPart {}
