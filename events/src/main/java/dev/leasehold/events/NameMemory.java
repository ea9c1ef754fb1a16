package dev.leasehold.events;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a reader remembers of each name. Names that the store has forgotten are dropped; otherwise the memory would grow with
 * every name that there ever was.
 */
final class NameMemory<V> {
    private static final class Entry<V> {
        private V value;
        private long pass;

        Entry(V value) {
            this.value = value;
        }
    }

    private final Map<LeaseName, Entry<V>> entries = new HashMap<>();
    private long pass;

    int size() {
        return entries.size();
    }

    /** Begins a pass over all names of the store. */
    void begin() {
        pass++;
    }

    /** What is remembered of a name that is in the store. */
    @Nullable
    V seen(LeaseName name) {
        Entry<V> entry = entries.get(name);
        if (entry == null) {
            return null;
        }
        entry.pass = pass;
        return entry.value;
    }

    void put(LeaseName name, V value) {
        Entry<V> entry = entries.computeIfAbsent(name, added -> new Entry<>(value));
        entry.value = value;
        entry.pass = pass;
    }

    /**
     * Ends a pass that has reached the last name.
     *
     * @param absent whether the store has no such name. It is asked for each name that the pass did not see, because a list
     *     leaves out a name that is damaged, and what happened to it must not be told twice
     */
    void end(Predicate<LeaseName> absent) {
        entries.entrySet().removeIf(entry -> entry.getValue().pass != pass && isAbsent(entry.getKey(), absent));
    }

    private static boolean isAbsent(LeaseName name, Predicate<LeaseName> absent) {
        try {
            return absent.test(name);
        } catch (StoreCorruptException e) {
            return false;
        }
    }
}
