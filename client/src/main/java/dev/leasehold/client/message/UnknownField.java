package dev.leasehold.client.message;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A field of a request that its message does not have.
 *
 * @param known the fields that it has there, in order
 */
public record UnknownField(String name, List<String> known) {
    /** The first one in a message. */
    static Optional<UnknownField> in(JsonNode node, Type type) {
        if (node.isArray() && type instanceof ParameterizedType list) {
            for (JsonNode element : node) {
                Optional<UnknownField> found = in(element, list.getActualTypeArguments()[0]);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        if (!node.isObject() || !(type instanceof Class<?> message) || !message.isRecord()) {
            return Optional.empty();
        }
        Map<String, Type> known = new TreeMap<>();
        for (RecordComponent component : message.getRecordComponents()) {
            known.put(component.getName(), component.getGenericType());
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            Type part = known.get(field.getKey());
            Optional<UnknownField> found = part == null
                    ? Optional.of(new UnknownField(field.getKey(), new ArrayList<>(known.keySet())))
                    : in(field.getValue(), part);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
