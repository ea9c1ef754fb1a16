package dev.leasehold.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A tool that agents call.
 *
 * @param description says when to use it
 * @param changes whether it may change something, which a reader must not do
 * @param outcomes the words that its result may have as its outcome, besides those of failures
 */
record Tool(
        String name,
        String title,
        String description,
        List<Input> inputs,
        boolean changes,
        List<String> outcomes,
        Handler handler) {
    /** What every tool may answer if the call fails. */
    private static final List<String> FAILURES =
            List.of("invalid", "forbidden", "wrong_store", "unavailable", "internal");

    /** Does what the tool is for. It may throw anything; nothing of that reaches the client. */
    @FunctionalInterface
    interface Handler {
        ToolResult call(ToolArguments arguments, McpCaller caller);
    }

    ToolResult call(Map<String, Object> arguments, McpCaller caller) {
        if (changes && !caller.mayChange()) {
            return ToolResult.failed(
                    "forbidden",
                    "your access key is only for looking: lease_status and explain work, " + name
                            + " needs a key with the role holder");
        }
        return handler.call(ToolArguments.check(inputs, arguments), caller);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("title", title);
        json.put("description", description);
        json.put("inputSchema", inputSchema());
        json.put("outputSchema", outputSchema());
        Map<String, Object> hints = new LinkedHashMap<>();
        hints.put("readOnlyHint", !changes);
        if (changes) {
            hints.put("destructiveHint", name.equals(FileTool.NAME));
        }
        hints.put("openWorldHint", false);
        json.put("annotations", hints);
        return json;
    }

    private Map<String, Object> inputSchema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        inputs.forEach(input -> properties.put(input.name(), input.schema()));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put(
                "required",
                inputs.stream().filter(Input::required).map(Input::name).toList());
        schema.put("additionalProperties", false);
        return schema;
    }

    private Map<String, Object> outputSchema() {
        TreeSet<String> words = new TreeSet<>(outcomes);
        words.addAll(FAILURES);
        Map<String, Object> properties = new LinkedHashMap<>();
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcome.put("type", "string");
        outcome.put("enum", List.copyOf(words));
        properties.put("outcome", outcome);
        properties.put("message", Map.of("type", "string"));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of("outcome", "message"));
        return schema;
    }
}
