package dev.leasehold.work;

import dev.leasehold.model.Grant;
import org.jspecify.annotations.Nullable;

/**
 * The proof of a claim, needed for all further steps: a grant, and the epoch that the item got by
 * the claim.
 */
public record WorkClaim(WorkId id, Grant grant, long epoch) {
    /** Whether the item still belongs to this claim. */
    boolean covers(@Nullable WorkItem item) {
        return item != null && item.epoch() == epoch && isBy(grant, item);
    }

    /**
     * The grant is compared too, because a key that was pruned and created again counts its epochs
     * from 1.
     */
    static boolean isBy(Grant grant, WorkItem item) {
        WorkItem.Claimant by = item.by();
        return by != null
                && by.grant().name().equals(grant.name())
                && by.grant().token().equals(grant.token())
                && grant.agreesWith(by.grant().attempt());
    }
}
