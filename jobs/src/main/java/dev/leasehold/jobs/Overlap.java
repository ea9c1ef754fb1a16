package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import java.time.Duration;

/** What becomes of a slot that is due while an earlier slot of the same job is still open. */
public sealed interface Overlap {
    Overlap SKIP = new Skip();

    /** The slot is skipped, which is not a failure. */
    record Skip() implements Overlap {}

    /** The slot waits, and is skipped if it cannot start within this time. */
    record Wait(Duration atMost) implements Overlap {
        public Wait {
            if (atMost.isZero() || atMost.isNegative()) {
                throw new IllegalArgumentException("the time to wait must be more than zero");
            }
        }
    }

    /**
     * The slot runs beside the earlier one under another lease name, and is skipped if that is
     * taken, too.
     */
    record Fallback(LeaseName name) implements Overlap {}

    /** The slot waits without limit, but only one slot waits: a newer one replaces it. */
    record Buffer() implements Overlap {}

    /**
     * The slot takes the lease over: the token rises, the earlier run is stopped and its late
     * writes are refused.
     */
    record Supersede() implements Overlap {}
}
