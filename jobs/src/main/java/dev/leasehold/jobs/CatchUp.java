package dev.leasehold.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of slots that were missed because no machine was running.
 *
 * @param latest how many of the latest missed slots run, oldest first; the others are
 *     recorded as dropped
 * @param within older slots are always dropped; null for no limit
 */
public record CatchUp(int latest, @Nullable Duration within) {
    public static final int MAX = 50;

    /** Runs the latest missed slot, however old it is. */
    public static final CatchUp LATEST_ONE = new CatchUp(1, null);

    public CatchUp {
        if (latest < 0 || latest > MAX) {
            throw new IllegalArgumentException("catch-up is " + latest + ": it must be between 0 and " + MAX);
        }
        if (within != null && (within.isZero() || within.isNegative())) {
            throw new IllegalArgumentException("the window of catch-up must be more than zero");
        }
    }

    public static CatchUp latest(int count) {
        return new CatchUp(count, null);
    }
}
