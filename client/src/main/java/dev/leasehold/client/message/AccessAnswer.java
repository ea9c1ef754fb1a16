package dev.leasehold.client.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the key of the caller is for.
 *
 * @param owner of the key; null for a caller without a key
 * @param prefix it sees and touches only names that start with this
 * @param at the store time of this answer
 */
public record AccessAnswer(
        @Nullable String owner, @Required String role, @Required String prefix, @Required Instant at) {}
