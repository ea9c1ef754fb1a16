package dev.leasehold.simulator.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts what happened and what failed. Safe for use by many threads. */
public final class Tally {
    private static final int FAILURES_KEPT = 10;

    private final Map<String, Long> counts = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private long failed;
    private @Nullable String lastUnavailable;

    synchronized void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** An invariant was violated. */
    synchronized void failed(String what) {
        failed++;
        if (failures.size() < FAILURES_KEPT) {
            failures.add(what);
        }
    }

    /** A missing answer is not a violation: the outcome is unknown. */
    synchronized void unavailable(String why) {
        count("unavailable");
        lastUnavailable = why;
    }

    public synchronized long of(String what) {
        return counts.getOrDefault(what, 0L);
    }

    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    /** How many checks failed; only the first few keep their text. */
    public synchronized long failed() {
        return failed;
    }

    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    public synchronized @Nullable String lastUnavailable() {
        return lastUnavailable;
    }
}
