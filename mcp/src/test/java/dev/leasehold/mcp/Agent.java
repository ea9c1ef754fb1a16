package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Holder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls the tools of a service as an agent does, in both eras in turn. */
final class Agent {
    private final McpService service;
    private final McpCaller caller;
    private long calls;

    Agent(McpService service) {
        this(service, McpCaller.everything(Holder.of("agent-1")));
    }

    Agent(McpService service, McpCaller caller) {
        this.service = service;
        this.caller = caller;
    }

    /** The facts of a result, and whether it is an error under the key {@code isError}. */
    Map<String, Object> call(String tool, Object... namesAndValues) {
        RpcAnswer answer = send(tool, arguments(namesAndValues));
        assertThat(answer.error()).isNull();
        Map<String, Object> result = answer.result();
        Map<String, Object> facts = new LinkedHashMap<>(Message.object(result.get("structuredContent")));
        Map<String, Object> text = Message.object(((List<?>) result.get("content")).get(0));
        assertThat(text.get("text"))
                .isEqualTo(new String(McpJson.write(facts), java.nio.charset.StandardCharsets.UTF_8));
        assertThat(outcomes(tool).contains(facts.get("outcome")))
                .as("%s", facts)
                .isTrue();
        facts.put("isError", result.get("isError"));
        return facts;
    }

    /** The outcomes that the schema of a tool allows. One that is not listed is only ever refused. */
    private List<?> outcomes(String tool) {
        Map<String, Object> list = service.answer(new Message.Request(0L, "tools/list", Map.of()), caller)
                .result();
        for (Object each : (List<?>) list.get("tools")) {
            if (tool.equals(Message.object(each).get("name"))) {
                Map<String, Object> schema = Message.object(Message.object(each).get("outputSchema"));
                return (List<?>)
                        Message.object(Message.object(schema.get("properties")).get("outcome"))
                                .get("enum");
            }
        }
        return List.of("forbidden");
    }

    RpcAnswer send(String tool, Map<String, Object> arguments) {
        calls++;
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", tool);
        params.put("arguments", arguments);
        if (calls % 2 == 0) {
            params.put("_meta", stateless());
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", calls);
        message.put("method", "tools/call");
        message.put("params", params);
        return service.answer((Message.Request) Message.read(McpJson.write(message)), caller);
    }

    static Map<String, Object> stateless() {
        return Map.of(
                "io.modelcontextprotocol/protocolVersion",
                Protocol.STATELESS,
                "io.modelcontextprotocol/clientCapabilities",
                Map.of());
    }

    static Map<String, Object> arguments(Object... namesAndValues) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return arguments;
    }

    String acquire(String name) {
        Map<String, Object> granted = call("lease_acquire", "name", name);
        assertThat(granted).containsEntry("outcome", "granted").containsEntry("isError", false);
        return (String) granted.get("handle");
    }
}
