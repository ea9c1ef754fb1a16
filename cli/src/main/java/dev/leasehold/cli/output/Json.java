package dev.leasehold.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object on one line, ASCII only, so that it is valid in any locale. Fields with a null
 * value are omitted. Durations are milliseconds, in fields whose names end in {@code Ms}; instants
 * are RFC 3339.
 */
public final class Json {
    private final StringBuilder text = new StringBuilder(160).append('{');

    public Json put(String field, @Nullable Object value) {
        if (value != null) {
            key(field);
            string(value.toString());
        }
        return this;
    }

    public Json put(String field, long value) {
        key(field).append(value);
        return this;
    }

    public Json put(String field, boolean value) {
        key(field).append(value);
        return this;
    }

    public Json put(String field, @Nullable Duration value) {
        return value == null ? this : put(field, value.toMillis());
    }

    public Json put(String field, @Nullable Instant value) {
        return put(field, (Object) value);
    }

    public Json put(String field, @Nullable Json value) {
        if (value != null) {
            key(field).append(value);
        }
        return this;
    }

    public Json put(String field, Map<String, Long> numbers) {
        Json inner = new Json();
        for (Map.Entry<String, Long> number : numbers.entrySet()) {
            inner.put(number.getKey(), number.getValue().longValue());
        }
        return put(field, inner);
    }

    /** All fields of another object. */
    public Json putAll(Json other) {
        if (other.text.length() > 1) {
            text.append(text.length() > 1 ? "," : "").append(other.text, 1, other.text.length());
        }
        return this;
    }

    /** An array of strings or objects. */
    public Json put(String field, List<?> values) {
        key(field).append('[');
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            Object value = values.get(i);
            if (value instanceof Json) {
                text.append(value);
            } else {
                string(String.valueOf(value));
            }
        }
        text.append(']');
        return this;
    }

    private StringBuilder key(String field) {
        if (text.length() > 1) {
            text.append(',');
        }
        string(field);
        return text.append(':');
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (SafeText.isPlain(c)) {
                text.append(c);
            } else {
                SafeText.appendUnicode(text, c);
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
