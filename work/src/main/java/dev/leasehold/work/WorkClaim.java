package dev.leasehold.work;

import dev.leasehold.model.Grant;
import org.jspecify.annotations.Nullable;

/** The proof of a claim, shown with every further step: a grant, and the epoch that the claim gave the item. */
public record WorkClaim(WorkId id, Grant grant, long epoch) {
    /** Whether the item still stands under this claim. */
    boolean covers(@Nullable WorkItem item) {
        return item != null && item.epoch() == epoch && isBy(grant, item);
    }

    /** A key that was pruned and made again counts its epochs from the start, so the grant is compared as well. */
    static boolean isBy(Grant grant, WorkItem item) {
        WorkItem.Claimant by = item.by();
        return by != null
                && by.grant().name().equals(grant.name())
                && by.grant().token().equals(grant.token())
                && grant.agreesWith(by.grant().attempt());
    }
}
