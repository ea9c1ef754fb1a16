package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Recommended times for a lease, from its measured runs.
 *
 * @param runs the number of complete runs that were measured
 * @param ttlMs of the latest measured run
 * @param worstStallMs the longest delay of a renewal
 * @param renewed for leases that are renewed while the work runs; null without enough data
 * @param unrenewed for leases that are held without renewal; null without enough data
 */
public record AdvicePart(
        @Required int runs,
        @Required long lost,
        @Required long medianMs,
        @Required long p95Ms,
        @Required long worstMs,
        @Nullable Long ttlMs,
        @Nullable Long worstStallMs,
        @Nullable TtlPart renewed,
        @Nullable TtlPart unrenewed) {
    /** A recommended ttl, from the shortest safe value to the longest useful one. */
    public record TtlPart(@Required long ttlMs, @Required long upToMs, @Required String reason) {}
}
