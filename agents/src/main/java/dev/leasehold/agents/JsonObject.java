package dev.leasehold.agents;

import dev.leasehold.internal.JsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an event. A field of the wrong type is an error, never taken for a missing one. */
final class JsonObject {
    private final Map<String, @Nullable Object> fields;

    JsonObject(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    static JsonObject parse(String text) {
        return new JsonObject(JsonReader.object(text));
    }

    /** The text of the first of these fields that is present; null if none is. */
    @Nullable
    String text(String... names) {
        for (String name : names) {
            Object value = fields.get(name);
            if (value instanceof String text) {
                return text;
            }
            if (value != null) {
                throw new IllegalArgumentException("the field " + name + " must be a string");
            }
        }
        return null;
    }

    /** The same, or an empty text. */
    String textOrEmpty(String... names) {
        String text = text(names);
        return text == null ? "" : text;
    }

    String require(String... names) {
        String text = text(names);
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("the field " + names[0] + " is missing");
        }
        return text;
    }

    /** The object under the first of these names; empty if there is none. */
    JsonObject object(String... names) {
        for (String name : names) {
            Object value = fields.get(name);
            if (value instanceof Map<?, ?> map) {
                return new JsonObject(copy(map));
            }
            if (value instanceof String text && text.startsWith("{")) {
                // Some versions send the arguments as text.
                return parse(text);
            }
            if (value != null) {
                throw new IllegalArgumentException("the field " + name + " must be an object");
            }
        }
        return new JsonObject(Map.of());
    }

    /** The same for a field about which agents say little: anything else than an object counts as missing. */
    JsonObject loose(String... names) {
        for (String name : names) {
            if (fields.get(name) instanceof Map<?, ?> map) {
                return new JsonObject(copy(map));
            }
        }
        return new JsonObject(Map.of());
    }

    /** The text of a field, or the words of a list, as some agents send a command. */
    String command(String... names) {
        for (String name : names) {
            if (fields.get(name) instanceof List<?> words && !words.isEmpty()) {
                return String.join(" ", texts(name));
            }
        }
        return require(names);
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    /** The texts of the first of these lists that is present. */
    List<String> texts(String... names) {
        List<String> found = new ArrayList<>();
        for (String name : names) {
            if (fields.get(name) instanceof List<?> list && found.isEmpty()) {
                for (Object element : list) {
                    found.add(String.valueOf(element));
                }
            }
        }
        return found;
    }

    List<JsonObject> objects(String name) {
        List<JsonObject> found = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> map) {
                    found.add(new JsonObject(copy(map)));
                } else {
                    throw new IllegalArgumentException("the field " + name + " must be a list of objects");
                }
            }
        }
        return found;
    }

    private static Map<String, @Nullable Object> copy(Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            copy.put(String.valueOf(entry.getKey()), entry.getValue());
        }
        return copy;
    }
}
