package dev.leasehold.spi;

import dev.leasehold.model.Text;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The minimum that a store must support: reading a value with its version, and replacing it if the
 * version is unchanged.
 *
 * <p>Safe for use by many threads. Throws {@link dev.leasehold.model.StoreUnavailableException}
 * when the outcome is unknown.
 */
public interface CasRegister {
    int MAX_KEY_LENGTH = 400;
    int MAX_VALUE_BYTES = 100_000;

    /** The length of what stands before the keys of a store that was moved here, see {@link #requireStoredKey}. */
    int MAX_PART_LENGTH = 10;

    /** The version of a key that does not exist. */
    String ABSENT = "";

    Reading read(String key);

    /**
     * Replaces the value if its version is {@code expected}; with {@link #ABSENT}, creates it.
     * False if nothing changed.
     */
    boolean compareAndSet(String key, String expected, String value);

    /**
     * Removes the key if its version is {@code expected}. False if nothing changed, or if this
     * register cannot remove keys.
     */
    default boolean remove(String key, String expected) {
        return false;
    }

    /** The keys that start with {@code prefix} and sort after {@code after}, in order. */
    List<String> keys(String prefix, String after, int limit);

    /**
     * The keys of such a page with their readings, in order. There are fewer than {@code limit} only if there are no more.
     *
     * @throws dev.leasehold.model.StoreCorruptException if one of the values is damaged; {@link #read} tells which
     */
    default Map<String, Reading> readings(String prefix, String after, int limit) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        String last = after;
        List<String> page;
        do {
            page = keys(prefix, last, limit - readings.size());
            if (!page.isEmpty()) {
                last = page.get(page.size() - 1);
                readings.putAll(readingsOf(page));
            }
        } while (readings.size() < limit && !page.isEmpty());
        return readings;
    }

    /** The readings of these keys, in their order; a key that does not exist is left out. */
    default Map<String, Reading> readingsOf(List<String> keys) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        for (String key : keys) {
            Reading reading = read(key);
            if (reading.value().isPresent()) {
                readings.put(key, reading);
            }
        }
        return readings;
    }

    /**
     * The keys of such a page with their versions, in order. There are fewer than {@code limit} only if there are no more. Whoever
     * keeps the versions sees which values have changed and reads only these.
     */
    default Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> versions = new LinkedHashMap<>();
        readings(prefix, after, limit).forEach((key, reading) -> versions.put(key, reading.version()));
        return versions;
    }

    /** As {@link #readings}, with nothing but the values. */
    default Map<String, String> values(String prefix, String after, int limit) {
        Map<String, String> values = new LinkedHashMap<>();
        readings(prefix, after, limit)
                .forEach((key, reading) -> reading.value().ifPresent(value -> values.put(key, value)));
        return values;
    }

    /**
     * Checks a key against the limits of every register, before anything is read or written.
     *
     * @throws IllegalArgumentException if the key is too long, empty or not printable ASCII
     */
    static void requireKey(String key) {
        Text.printable("register key", key, MAX_KEY_LENGTH);
    }

    /**
     * The same for a register that is a whole store. The keys of a store that was moved there have a part before them, which
     * the limit does not count.
     */
    static void requireStoredKey(String key) {
        int limit = key.startsWith("~") ? MAX_KEY_LENGTH + MAX_PART_LENGTH : MAX_KEY_LENGTH;
        Text.printable("register key", key, limit);
    }

    /**
     * Checks a value against the limit of every register.
     *
     * @throws IllegalArgumentException if the value is too large
     */
    static void requireValue(String value) {
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "value is too large: at most " + MAX_VALUE_BYTES + " bytes are kept under one key");
        }
    }

    /** A value as it was at one moment of store time. */
    record Reading(Optional<String> value, String version, Instant at) {
        public static Reading absent(Instant at) {
            return new Reading(Optional.empty(), ABSENT, at);
        }
    }
}
