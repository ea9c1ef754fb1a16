package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import java.time.Duration;

/** What becomes of a slot that is due while an earlier one of the same job has not ended. */
public sealed interface Overlap {
    Overlap SKIP = new Skip();

    /** It is skipped, which is not a failure. */
    record Skip() implements Overlap {}

    /** It waits for its turn, and is skipped if that has not come when this time has passed. */
    record Wait(Duration atMost) implements Overlap {
        public Wait {
            if (atMost.isZero() || atMost.isNegative()) {
                throw new IllegalArgumentException("the time to wait must be more than zero");
            }
        }
    }

    /** It runs beside the earlier one under another lease name, and is skipped if that is taken too. */
    record Fallback(LeaseName name) implements Overlap {}

    /** It waits without limit, but only one does: a newer slot takes its place. */
    record Buffer() implements Overlap {}

    /** It takes the lease over: the token rises, the earlier run is stopped and its late writes are refused. */
    record Supersede() implements Overlap {}
}
