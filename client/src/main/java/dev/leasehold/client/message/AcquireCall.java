package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a lease.
 *
 * @param attempt the same for all repetitions of this call; without one the server draws one, and a
 *     lost answer cannot be asked for again
 * @param waitMs how long to wait if the lease is busy
 */
public record AcquireCall(
        @Required String name,
        @Required long ttlMs,
        @Nullable String holder,
        @Nullable String attempt,
        @Nullable Long waitMs) {}
