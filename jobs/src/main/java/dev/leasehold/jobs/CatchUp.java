package dev.leasehold.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of slots that nobody was there for.
 *
 * @param latest how many of the latest missed slots are run, oldest first; the others are dropped, and recorded
 * @param within slots that are older than this are dropped in any case; null for no such limit
 */
public record CatchUp(int latest, @Nullable Duration within) {
    public static final int MAX = 50;

    /** The latest missed slot, however old. */
    public static final CatchUp LATEST_ONE = new CatchUp(1, null);

    public CatchUp {
        if (latest < 0 || latest > MAX) {
            throw new IllegalArgumentException("catch-up is " + latest + ": it must lie between 0 and " + MAX);
        }
        if (within != null && (within.isZero() || within.isNegative())) {
            throw new IllegalArgumentException("the window of catch-up must be more than zero");
        }
    }

    public static CatchUp latest(int count) {
        return new CatchUp(count, null);
    }
}
