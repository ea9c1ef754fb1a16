package dev.leasehold.client.message;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a lease, in words and with the evidence, as {@code leasehold explain} tells it.
 *
 * @param health working, alive, stuck, silent, dead or none
 * @param lease null if it was never held, or its record is damaged
 * @param explanation sentences
 * @param history changes of ownership, newest first
 * @param runs newest first, with those of which only the store knows
 * @param counters how often each kind of run happened since the first one
 * @param damage what cannot be shown, because its record is damaged
 */
public record ExplainAnswer(
        @Required String name,
        @Required String health,
        @Nullable LeaseAnswer lease,
        @Required List<String> explanation,
        @Required List<TransferPart> history,
        @Required List<RunPart> runs,
        @Required Map<String, Long> counters,
        @Required List<UnknownEffect> unknownEffects,
        @Required List<TargetsAnswer.TargetPart> targets,
        @Required AdvicePart advice,
        @Required List<String> damage) {
    /** A call that was begun and has no outcome. */
    public record UnknownEffect(@Required String operation, @Required long token, @Required Instant at) {}
}
