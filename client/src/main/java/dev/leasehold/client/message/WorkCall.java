package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of a work item under a grant: claim, checkpoint, complete or fail; which of them, the path
 * says.
 *
 * @param of the name that the key belongs to, if it is not that of the lease
 * @param fingerprint for a claim: identifies the input of the key
 * @param checkpoint for a checkpoint
 * @param result for a completion
 * @param effects for a completion: follow-ups that are delivered at least once
 * @param error for a failure
 */
public record WorkCall(
        @Required String name,
        @Required long token,
        @Nullable String attempt,
        @Nullable String store,
        @Required String key,
        @Nullable String of,
        @Nullable String fingerprint,
        @Nullable String checkpoint,
        @Nullable String result,
        @Nullable List<String> effects,
        @Nullable String error)
        implements GrantPart {}
