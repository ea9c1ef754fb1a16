package dev.leasehold.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a tool.
 *
 * @param least the smallest number, or the shortest text
 * @param most the largest number, or the longest text
 * @param choices the only texts that are allowed; empty if others are
 */
record Input(
        String name, Type type, boolean required, long least, long most, List<String> choices, String description) {
    enum Type {
        STRING,
        INTEGER,
        BOOLEAN;

        String word() {
            return switch (this) {
                case STRING -> "string";
                case INTEGER -> "integer";
                case BOOLEAN -> "boolean";
            };
        }
    }

    static Input text(String name, int longest, String description) {
        return new Input(name, Type.STRING, false, 1, longest, List.of(), description);
    }

    static Input number(String name, long least, long most, String description) {
        return new Input(name, Type.INTEGER, false, least, most, List.of(), description);
    }

    static Input flag(String name, String description) {
        return new Input(name, Type.BOOLEAN, false, 0, 0, List.of(), description);
    }

    static Input choice(String name, List<String> choices, String description) {
        return new Input(name, Type.STRING, false, 1, 100, choices, description);
    }

    Input needed() {
        return new Input(name, type, true, least, most, choices, description);
    }

    /** The same, for a text that may be empty. */
    Input orEmpty() {
        return new Input(name, type, required, 0, most, choices, description);
    }

    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", type.word());
        schema.put("description", description);
        if (!choices.isEmpty()) {
            schema.put("enum", choices);
        } else if (type == Type.STRING) {
            schema.put("minLength", least);
            schema.put("maxLength", most);
        } else if (type == Type.INTEGER) {
            schema.put("minimum", least);
            schema.put("maximum", most);
        }
        return schema;
    }

    /** What is wrong with a value, in words for the agent; null if nothing is. */
    @Nullable
    String problem(@Nullable Object value) {
        if (value == null) {
            return "'" + name + "' is null: leave it out instead";
        }
        return switch (type) {
            case BOOLEAN -> value instanceof Boolean ? null : "'" + name + "' must be true or false";
            case INTEGER ->
                value instanceof Long number && number >= least && number <= most
                        ? null
                        : "'" + name + "' must be an integer from " + least + " to " + most;
            case STRING -> textProblem(value);
        };
    }

    private @Nullable String textProblem(Object value) {
        if (!(value instanceof String text)) {
            return "'" + name + "' must be a string";
        }
        if (!choices.isEmpty()) {
            return choices.contains(text) ? null : "'" + name + "' must be one of " + String.join(", ", choices);
        }
        // JSON Schema counts characters, not halves of pairs.
        int length = text.codePointCount(0, text.length());
        return length >= least && length <= most
                ? null
                : "'" + name + "' must have " + least + " to " + most + " characters, not " + length;
    }
}
