package dev.leasehold.work;

import dev.leasehold.model.Loss;
import org.jspecify.annotations.Nullable;

/** The ledger's answer to a checkpoint, a completion or a failure. */
public sealed interface WorkStep {
    /** It took effect. */
    record Accepted(WorkItem item) implements WorkStep {}

    /**
     * The same step of the same claim took effect before; its reply was lost. Nothing was done
     * twice.
     */
    record Repeated(WorkItem item) implements WorkStep {}

    /**
     * Too late: another run has claimed the item, or the step does not fit its state. Nothing was
     * changed.
     *
     * @param current the item now, null if the ledger does not know it
     * @param loss why the lease no longer counts, if that is the reason
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
