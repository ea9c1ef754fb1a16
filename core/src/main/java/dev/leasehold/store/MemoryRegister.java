package dev.leasehold.store;

import dev.leasehold.spi.CasRegister;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** A register in the memory of this process. */
public final class MemoryRegister implements CasRegister {
    private record Versioned(long version, String value) {}

    private final InstantSource clock;
    private final ConcurrentSkipListMap<String, Versioned> values = new ConcurrentSkipListMap<>();

    /**
     * One counter for all keys, so that a key that is removed and created again never gets an old
     * version.
     */
    private final AtomicLong versions = new AtomicLong();

    public MemoryRegister(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        Versioned found = values.get(key);
        return found == null
                ? Reading.absent(clock.instant())
                : new Reading(Optional.of(found.value), Long.toString(found.version), clock.instant());
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return replace(key, expected, value).isPresent();
    }

    /** As {@link #compareAndSet}, but returns the version of the new value; empty if nothing changed. */
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        Versioned after = new Versioned(versions.incrementAndGet(), value);
        boolean replaced;
        if (expected.equals(ABSENT)) {
            replaced = values.putIfAbsent(key, after) == null;
        } else {
            Versioned before = values.get(key);
            replaced = before != null
                    && Long.toString(before.version).equals(expected)
                    && values.replace(key, before, after);
        }
        return replaced ? Optional.of(Long.toString(after.version)) : Optional.empty();
    }

    @Override
    public boolean remove(String key, String expected) {
        Versioned before = values.get(key);
        return before != null && Long.toString(before.version).equals(expected) && values.remove(key, before);
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        String first = after.compareTo(prefix) < 0 ? prefix : after;
        return values.tailMap(first).keySet().stream()
                .takeWhile(key -> key.startsWith(prefix))
                .filter(key -> !key.equals(after))
                .limit(limit)
                .toList();
    }
}
