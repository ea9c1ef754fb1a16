package dev.leasehold.mcp;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of a client, by the rules of JSON-RPC 2.0 that the protocol uses. */
sealed interface Message {
    /** The longest id that is sent back. */
    int MAX_ID = 256;

    /** @param id a text or a {@code Long} */
    record Request(Object id, String method, Map<String, Object> params) implements Message {}

    record Notification(String method, Map<String, Object> params) implements Message {}

    /** The answer to a request of a server. This server makes none. */
    record Response() implements Message {}

    /** @param id null if it could not be read */
    record Unusable(@Nullable Object id, RpcError error) implements Message {}

    static Message read(byte[] json) {
        Object value;
        try {
            value = McpJson.parse(json);
        } catch (MalformedJsonException e) {
            return new Unusable(
                    null,
                    RpcError.of(
                            RpcError.PARSE,
                            "this is not JSON in UTF-8, has a field twice, is nested deeper than " + McpJson.MAX_DEPTH
                                    + ", or has more than " + McpJson.MAX_VALUES + " parts"));
        }
        if (value instanceof List) {
            return invalid(null, "batches are not part of this protocol: send one message at a time");
        }
        Map<String, Object> fields = object(value);
        return fields == null ? invalid(null, "a message is a JSON object") : of(fields);
    }

    private static Message of(Map<String, Object> fields) {
        Object id = fields.get("id");
        boolean hasId = fields.containsKey("id");
        if (hasId && !isId(id)) {
            return invalid(null, "id must be an integer, or a text of at most " + MAX_ID + " characters");
        }
        if (!"2.0".equals(fields.get("jsonrpc"))) {
            return invalid(id, "jsonrpc must be \"2.0\"");
        }
        if (!fields.containsKey("method")) {
            boolean response = hasId && (fields.containsKey("result") || fields.containsKey("error"));
            return response ? new Response() : invalid(id, "the field 'method' is missing");
        }
        Map<String, Object> params = fields.containsKey("params") ? object(fields.get("params")) : Map.of();
        if (!(fields.get("method") instanceof String method) || params == null) {
            return invalid(id, "method must be a text, and params an object");
        }
        return id == null ? new Notification(method, params) : new Request(id, method, params);
    }

    private static boolean isId(@Nullable Object id) {
        return id instanceof Long || (id instanceof String text && text.length() <= MAX_ID);
    }

    private static Unusable invalid(@Nullable Object id, String why) {
        return new Unusable(id, RpcError.of(RpcError.INVALID_REQUEST, why));
    }

    /** The fields of a JSON object; null if this is none. */
    @SuppressWarnings("unchecked")
    static @Nullable Map<String, Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : null;
    }
}
