package dev.leasehold.work;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's record of a key.
 *
 * @param epoch rises with every claim and every reopening; a claim with another epoch is stale
 * @param attempts how often it was claimed since it was opened
 * @param by who claimed it last; null if nobody did, or if an operator completed it
 * @param since when it got its current state, in store time
 * @param checkpoint how far the last run came; for people only once the item is done
 * @param lastError why the last attempt failed
 * @param reason the reason of the operator who reopened or completed it, if one did
 * @param effects the effects of its completion, including delivered ones
 */
public record WorkItem(
        WorkId id,
        WorkState state,
        long epoch,
        int attempts,
        @Nullable Claimant by,
        Instant since,
        @Nullable Checkpoint checkpoint,
        @Nullable WorkResult result,
        @Nullable Note lastError,
        @Nullable Note reason,
        @Nullable Fingerprint fingerprint,
        List<Effect> effects) {

    /** Who claimed an item. The grant decides; the holder is for people to read. */
    public record Claimant(Grant grant, Holder holder) {}

    public WorkItem {
        effects = List.copyOf(effects);
    }

    /** Whether an operator completed it, instead of a run. */
    public boolean isDoneByOperator() {
        return state == WorkState.DONE && by == null;
    }

    public List<Effect> pendingEffects() {
        return effects.stream().filter(effect -> !effect.delivered()).toList();
    }
}
