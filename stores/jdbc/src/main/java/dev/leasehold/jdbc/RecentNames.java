package dev.leasehold.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that were found in some state when they were last asked for, so that the next statement can be the one that most
 * likely fits. Only a hint, and bounded. Safe for use by many threads.
 */
final class RecentNames {
    private static final int MAX_KNOWN = 10_000;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    void add(String name) {
        if (names.add(name) && names.size() > MAX_KNOWN) {
            names.clear();
        }
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    /** Whether it was there. */
    boolean remove(String name) {
        return !names.isEmpty() && names.remove(name);
    }
}
