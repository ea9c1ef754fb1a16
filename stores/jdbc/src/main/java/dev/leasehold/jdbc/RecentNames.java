package dev.leasehold.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that were in some state at the last access, so that the next access can start with the
 * statement that most likely fits. Only a hint, and bounded. Safe for use by many threads.
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

    /** Returns whether the name was present. */
    boolean remove(String name) {
        return !names.isEmpty() && names.remove(name);
    }
}
