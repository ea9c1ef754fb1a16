package dev.leasehold.client.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * @param state what the caller does: "begun", make the call now; "made", do not make it; "unknown",
 *     ask the target; "none", nothing is recorded
 * @param by the token under which it was begun or made
 * @param at when it was begun
 * @param note what was recorded of the target's answer
 */
public record OnceAnswer(
        @Required String id, @Required String state, @Nullable Long by, @Nullable Instant at, @Nullable String note) {}
