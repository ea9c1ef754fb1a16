package dev.leasehold.work;

import dev.leasehold.model.Loss;
import org.jspecify.annotations.Nullable;

/** What became of a checkpoint, a completion or a failure that was reported to the ledger. */
public sealed interface WorkStep {
    /** It took effect. */
    record Accepted(WorkItem item) implements WorkStep {}

    /** The very same step of the same claim had taken effect before: its reply was lost, and nothing was done twice. */
    record Repeated(WorkItem item) implements WorkStep {}

    /**
     * Too late: the item has been claimed by somebody else, or the step does not fit its state. Nothing was changed, and
     * nothing follows from it.
     *
     * @param current how the item stands now, null if the ledger does not know it
     * @param loss why the lease does not count any more, where that was the reason
     */
    record Stale(WorkClaim shown, @Nullable WorkItem current, @Nullable Loss loss) implements WorkStep {
        public String explanation() {
            String late = "key " + shown.id().key() + ", epoch " + shown.epoch() + ": ";
            if (loss != null) {
                return late + shown.grant() + " was lost: " + loss.explanation();
            }
            if (current == null) {
                return late + "the ledger does not know it";
            }
            WorkItem.Claimant by = current.by();
            return late + "it is " + current.state().word() + " under epoch " + current.epoch()
                    + (by == null ? "" : ", " + by.grant() + " of " + by.holder());
        }
    }
}
