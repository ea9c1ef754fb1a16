package dev.leasehold.client.message;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A work item.
 *
 * @param token of the grant that claimed it last; null if nobody did, or an operator completed it
 * @param error why the last attempt failed
 * @param reason of the operator who reopened or completed it
 */
public record WorkPart(
        @Required String name,
        @Required String key,
        @Required String state,
        @Required long epoch,
        @Required int attempts,
        @Nullable String lease,
        @Nullable Long token,
        @Nullable String holder,
        @Required Instant since,
        @Nullable String checkpoint,
        @Nullable String result,
        @Nullable String error,
        @Nullable String reason,
        @Nullable String fingerprint,
        @Required List<EffectPart> effects) {
    /** A follow-up of a completed item. */
    public record EffectPart(@Required String id, @Required String body, @Required boolean delivered) {}
}
