package dev.leasehold.client.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the log of runs.
 *
 * @param kind how the run ended, or what happened at one of its targets
 * @param renewals how the lease was renewed; null if there was no lease
 * @param origin null for what is no run
 */
public record RunPart(
        @Required Instant at,
        @Required String kind,
        @Nullable Long token,
        @Required String holder,
        @Required long durationMs,
        @Required String detail,
        @Nullable RenewalsPart renewals,
        @Nullable OriginPart origin) {
    /** How the lease of a run was renewed. */
    public record RenewalsPart(
            @Required long ttlMs, @Required long heartbeatMs, @Required long count, @Required long longestGapMs) {}

    /** What a run executed, and who called it where. */
    public record OriginPart(
            @Required String command, @Required String user, @Required String host, @Required String directory) {}
}
