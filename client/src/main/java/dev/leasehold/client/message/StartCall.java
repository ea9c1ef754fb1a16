package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Runs a job now.
 *
 * @param attempt drawn once for a request: repeated with the same one, it is one run
 */
public record StartCall(
        @Required String name, @Nullable String attempt, @Nullable String reason, @Nullable String holder) {}
