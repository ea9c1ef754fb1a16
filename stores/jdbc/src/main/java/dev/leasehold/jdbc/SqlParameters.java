package dev.leasehold.jdbc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a statement's named parameters. */
final class SqlParameters {
    private final Map<String, @Nullable Object> values = new HashMap<>();

    static SqlParameters of(String name, @Nullable Object value) {
        return new SqlParameters().and(name, value);
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
