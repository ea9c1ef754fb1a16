package dev.leasehold.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is sent back for a request.
 *
 * @param id null if the id of the request could not be read
 * @param undelivered what to do if the client does not get it
 */
record RpcAnswer(
        @Nullable Object id, @Nullable Map<String, Object> result, @Nullable RpcError error, Runnable undelivered) {
    static RpcAnswer of(Object id, Map<String, Object> result) {
        return new RpcAnswer(id, result, null, () -> {});
    }

    static RpcAnswer of(@Nullable Object id, RpcError error) {
        return new RpcAnswer(id, null, error, () -> {});
    }

    /** One line. */
    byte[] toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("jsonrpc", "2.0");
        if (id != null) {
            json.put("id", id);
        }
        if (error != null) {
            json.put("error", error.toJson());
        } else {
            json.put("result", result == null ? Map.of() : result);
        }
        return McpJson.write(json);
    }
}
