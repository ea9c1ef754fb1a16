package dev.leasehold.internal.turns;

import java.time.Duration;

/**
 * The time during which the processes that wait for a name ask after it became free, each at a random moment. It adapts itself, so
 * that about one process asks in vain for each that is granted the lease, although nobody knows how many wait: each grant makes it
 * shorter, and each ask in vain makes it longer by as much.
 *
 * @param nanos zero if all ask at once, which is best for one or two
 */
record TurnWindow(long nanos) {
    static final TurnWindow NONE = new TurnWindow(0);
    static final Duration LONGEST = Duration.ofMillis(500);

    private static final long FIRST_NANOS = 2_000_000;
    private static final long SHORTEST_NANOS = 500_000;

    /** What a single ask counts, as a power of two. It is small, because a single one is a matter of chance. */
    private static final double WEIGHT = 0.5;

    static TurnWindow of(Duration window) {
        return new TurnWindow(Math.min(window.toNanos(), LONGEST.toNanos()));
    }

    Duration length() {
        return Duration.ofNanos(nanos);
    }

    boolean isOpen() {
        return nanos > 0;
    }

    /** After a grant to a process that asked in vain so often before. */
    TurnWindow afterGrant(int vain) {
        return nanos == 0 && vain == 0 ? NONE : times(vain - 1);
    }

    /** After so many asks in vain of a process that has not been granted the lease since. */
    TurnWindow afterVain(int vain) {
        return times(vain);
    }

    private TurnWindow times(int asks) {
        double next = (double) (nanos == 0 ? FIRST_NANOS : nanos) * Math.pow(2, WEIGHT * asks);
        long bounded = (long) Math.min((double) LONGEST.toNanos(), next);
        return bounded < SHORTEST_NANOS ? NONE : new TurnWindow(bounded);
    }
}
