package dev.leasehold.mcp;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.Holder;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Messages of agents. */
public final class McpFuzzTargets {
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"lease_acquire","arguments":{"name":"job",
            "ttl_seconds":60,"holder":"agent","attempt":"attempt-0001"},"_meta":{
            "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
            """;

    private static final String LEGACY =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"once","arguments":{"action":"begin","id":"mail",
            "handle":"lh1;1;attempt-0001;store-0001;job"}}}
            """;

    private static final McpCaller CALLER = McpCaller.everything(Holder.of("agent"));
    private static final int MAX_ANSWER = 40_000;

    private McpFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of("message of an agent", IllegalArgumentException.class, McpFuzzTargets::message, CALL),
                FuzzTarget.of("call of an agent", IllegalArgumentException.class, McpFuzzTargets::message, LEGACY),
                FuzzTarget.of(
                        "message of an agent over HTTP", IllegalArgumentException.class, McpFuzzTargets::post, CALL));
    }

    /** Whatever arrives, the answer is one line of JSON that is not much larger than the input. */
    private static void message(String text) {
        Message message = Message.read(text.getBytes(StandardCharsets.UTF_8));
        if (message instanceof Message.Unusable unusable) {
            requireAnswer(RpcAnswer.of(unusable.id(), unusable.error()).toJson(), text);
            throw new IllegalArgumentException("refused: " + unusable.error().message());
        }
        if (message instanceof Message.Request request) {
            try (MemoryLeaseStore store = new MemoryLeaseStore();
                    McpService service = service(store)) {
                requireAnswer(service.answer(request, CALLER).toJson(), text);
            }
        }
    }

    private static void post(String text) {
        try (MemoryLeaseStore store = new MemoryLeaseStore();
                McpService service = service(store)) {
            McpHttp.Post post = new McpHttp.Post(
                    text.getBytes(StandardCharsets.UTF_8), "2026-07-28", "tools/call", "lease_acquire", null);
            byte[] body = new McpHttp(service).answer(post, CALLER).body();
            if (body != null) {
                requireAnswer(body, text);
            }
        }
    }

    private static McpService service(MemoryLeaseStore store) {
        try {
            return McpService.over(store)
                    .log((what, why) -> {
                        throw new AssertionError(what, why);
                    })
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireAnswer(byte[] json, String text) {
        FuzzTarget.requireBelow(json.length, MAX_ANSWER + 10L * text.length());
        try {
            Map<String, Object> answer = Message.object(McpJson.parse(json));
            FuzzTarget.requireSame("2.0", answer.get("jsonrpc"));
            FuzzTarget.requireSame(true, answer.containsKey("result") != answer.containsKey("error"));
        } catch (MalformedJsonException e) {
            throw new AssertionError("the answer is not JSON", e);
        }
        for (byte b : json) {
            FuzzTarget.requireSame(false, b == '\n');
        }
    }
}
