package dev.leasehold.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that were busy when they were last asked for. Whoever asks again most likely polls, and a plain read answers that
 * without locking the row or writing to disk. Only a hint, and bounded.
 */
final class BusyNames {
    private static final int MAX_KNOWN = 10_000;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    void add(String name) {
        if (names.size() >= MAX_KNOWN) {
            names.clear();
        }
        names.add(name);
    }

    /** Whether it was busy; the next one to ask tries to get it. */
    boolean remove(String name) {
        return !names.isEmpty() && names.remove(name);
    }
}
