package dev.leasehold.client.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in the store.
 *
 * @param id where it stands among all events; the header {@code Last-Event-ID} continues after it
 * @param outcome the word that the history, the log of runs or the record of slots has for it
 */
public record EventPart(
        @Required String id,
        @Required String type,
        @Required Instant at,
        @Required String name,
        @Nullable Long token,
        @Nullable String holder,
        @Required String outcome,
        @Nullable String detail,
        @Nullable Instant slot) {}
