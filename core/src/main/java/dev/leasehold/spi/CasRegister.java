package dev.leasehold.spi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The least a store must be able to do: read a value with its version, and replace it if the version is still the same.
 *
 * <p>Safe for use by many threads. Throws {@link dev.leasehold.model.StoreUnavailableException} when the outcome is unknown.
 */
public interface CasRegister {
    int MAX_KEY_LENGTH = 400;
    int MAX_VALUE_BYTES = 100_000;

    /** The version of a key that is not there. */
    String ABSENT = "";

    Reading read(String key);

    /** Replaces the value if its version is {@code expected} ({@link #ABSENT}: if there is none). False: nothing changed. */
    boolean compareAndSet(String key, String expected, String value);

    /** Removes the key if its version is {@code expected}. False: nothing changed, or this register cannot. */
    default boolean remove(String key, String expected) {
        return false;
    }

    /** Keys that start with {@code prefix} and come after {@code after}, in order. */
    List<String> keys(String prefix, String after, int limit);

    /** A value as it was at one moment of store time. */
    record Reading(Optional<String> value, String version, Instant at) {
        public static Reading absent(Instant at) {
            return new Reading(Optional.empty(), ABSENT, at);
        }
    }
}
