package dev.leasehold.jdbc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a statement's named parameters. */
final class SqlParameters {
    /** Sorts after every character that a name or a key may contain. */
    private static final char AFTER_ALL_NAMES = 0x7f;

    private final Map<String, @Nullable Object> values = new HashMap<>();

    static SqlParameters of(String name, @Nullable Object value) {
        return new SqlParameters().and(name, value);
    }

    /**
     * One page of the keys that start with a prefix, as a range of an index. Its start is one condition, because SQLite uses only
     * one, and would read all keys of the prefix from the first on for each page.
     */
    static SqlParameters page(String prefix, String after, int limit) {
        return of("first", after.compareTo(prefix) > 0 ? after : prefix)
                .and("last", prefix + AFTER_ALL_NAMES)
                .and("after", after)
                .and("limit", (long) limit);
    }

    SqlParameters and(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    SqlParameters andMicros(String name, Duration value) {
        return and(name, micros(value));
    }

    @Nullable
    Object get(String name) {
        if (!values.containsKey(name)) {
            throw new IllegalStateException("no value for the parameter " + name);
        }
        return values.get(name);
    }

    static Long micros(Duration value) {
        return value.toNanos() / 1000;
    }
}
