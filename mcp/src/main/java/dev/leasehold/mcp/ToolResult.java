package dev.leasehold.mcp;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a tool answers: an outcome as a word, what it means and what to do as a sentence, and facts. */
final class ToolResult {
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final boolean failed;
    private Runnable undelivered = () -> {};

    private ToolResult(String outcome, String message, boolean failed) {
        this.failed = failed;
        facts.put("outcome", outcome);
        facts.put("message", message);
    }

    /** An answer. Busy and stale are answers too: the agent can act on them. */
    static ToolResult of(String outcome, String message) {
        return new ToolResult(outcome, message, false);
    }

    /** No answer: the call was wrong, not allowed, or could not be made. */
    static ToolResult failed(String outcome, String message) {
        return new ToolResult(outcome, message, true);
    }

    static ToolResult invalid(String message) {
        return failed("invalid", message);
    }

    /** Adds a fact, unless it is null. */
    ToolResult put(String name, @Nullable Object value) {
        if (value != null) {
            facts.put(name, value);
        }
        return this;
    }

    /** @param undo is run if the client does not get this result */
    ToolResult ifUndelivered(Runnable undo) {
        undelivered = undo;
        return this;
    }

    Runnable undelivered() {
        return undelivered;
    }

    /** The facts are in the text as well, for clients that show only that. */
    Map<String, Object> toJson() {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("type", "text");
        text.put("text", new String(McpJson.write(facts), StandardCharsets.UTF_8));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("content", List.of(text));
        json.put("structuredContent", facts);
        json.put("isError", failed);
        return json;
    }
}
