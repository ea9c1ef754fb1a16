package dev.leasehold.client.message;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled job.
 *
 * @param schedule null if no machine has recorded one
 * @param next when it is due next
 * @param overdueMs how long a slot has been due without being run or dropped; zero if none is
 * @param open the slots that are queued or running
 * @param outcomes the latest, newest first
 * @param counters how many slots ended in each way
 */
public record JobPart(
        @Required String name,
        @Nullable String schedule,
        @Nullable String zone,
        @Nullable Instant next,
        @Required long overdueMs,
        @Nullable PausePart paused,
        @Required List<OpenPart> open,
        @Required List<OutcomePart> outcomes,
        @Required Map<String, Long> counters) {
    /** Who paused a job, when and why. */
    public record PausePart(@Required Instant since, @Required String by, @Required String reason) {}

    /**
     * A slot that is queued or running, or that a person asked for and no machine has taken up.
     *
     * @param startedBy who asked for it; null for a slot of the schedule
     */
    public record OpenPart(
            @Required Instant slot,
            @Required String state,
            @Required String lease,
            @Required int attempt,
            @Nullable Long token,
            @Nullable String holder,
            @Nullable Instant since,
            @Nullable String startedBy) {}

    /** The outcome of a slot, or of several that were dropped together. */
    public record OutcomePart(
            @Required Instant slot,
            @Required Instant to,
            @Required long slots,
            @Required String outcome,
            @Required String reason,
            @Required Instant at,
            @Nullable Long token,
            @Required int attempt,
            @Required long durationMs) {}
}
