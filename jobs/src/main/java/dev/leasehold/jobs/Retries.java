package dev.leasehold.jobs;

import java.time.Duration;

/**
 * How often a slot whose work failed is tried again, under the same key. This does not count
 * machines that die: they are always replaced, see {@link Job#MAX_REPLACEMENTS}.
 *
 * @param max how many attempts may follow the first
 * @param backoff the pause before the first retry; it doubles with each further one
 * @param longest the longest pause
 */
public record Retries(int max, Duration backoff, Duration longest) {
    public static final int LIMIT = 100;
    private static final int MAX_DOUBLINGS = 30;

    public static final Retries NONE = new Retries(0, Duration.ofSeconds(30), Duration.ofMinutes(10));

    public Retries {
        if (max < 0 || max > LIMIT) {
            throw new IllegalArgumentException("retries is " + max + ": it must be between 0 and " + LIMIT);
        }
        if (backoff.isNegative() || longest.compareTo(backoff) < 0) {
            throw new IllegalArgumentException("the backoff must not be negative, nor longer than its limit");
        }
    }

    public static Retries of(int max, Duration backoff) {
        Duration longest = NONE.longest.compareTo(backoff) < 0 ? backoff : NONE.longest;
        return new Retries(max, backoff, longest);
    }

    /** The pause after this many failures. */
    Duration pauseAfter(int failures) {
        Duration pause = backoff.multipliedBy(1L << Math.min(MAX_DOUBLINGS, Math.max(0, failures - 1)));
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
