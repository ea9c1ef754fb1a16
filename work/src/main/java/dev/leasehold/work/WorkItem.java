package dev.leasehold.work;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger remembers of a key.
 *
 * @param epoch rises with every claim and with every retry an operator asks for; whoever shows another one is too late
 * @param attempts how often it was claimed since it was opened
 * @param by who claimed it last, null if nobody did
 * @param since when it came into its state, in store time
 * @param checkpoint where the last run got to, kept until the item is done and for people to read after that
 * @param lastError why the last attempt failed
 * @param reason an operator's, where one opened it again
 * @param effects of its completion, delivered ones included
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

    /** Who claimed an item: the grant decides, the holder is for people to read. */
    public record Claimant(Grant grant, Holder holder) {}

    public WorkItem {
        effects = List.copyOf(effects);
    }

    public List<Effect> pendingEffects() {
        return effects.stream().filter(effect -> !effect.delivered()).toList();
    }
}
