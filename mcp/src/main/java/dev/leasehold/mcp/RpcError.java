package dev.leasehold.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that gets an error of JSON-RPC instead of a result. The texts are fixed or checked, never an exception's. */
record RpcError(int code, String message, @Nullable Map<String, Object> data) {
    static final int PARSE = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL = -32603;
    static final int HEADER_MISMATCH = -32020;
    static final int UNSUPPORTED_VERSION = -32022;

    static RpcError of(int code, String message) {
        return new RpcError(code, message, null);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("code", code);
        json.put("message", message);
        if (data != null) {
            json.put("data", data);
        }
        return json;
    }
}
