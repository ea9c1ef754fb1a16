package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.agents.HookEvent.ToolUse;
import dev.leasehold.internal.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gemini CLI, as in its hooks reference. It sends no id of a subagent. */
final class GeminiDialect implements AgentDialect {
    static final String NAME = "gemini";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public HookEvent parse(String json, String event) {
        JsonObject object = JsonObject.parse(json);
        String known = object.require("hook_event_name");
        Kind kind = kind(known, object);
        boolean hasTool = kind == Kind.BEFORE || kind == Kind.AFTER || kind == Kind.FAILED;
        return new HookEvent(
                kind,
                known,
                object.require("session_id"),
                "",
                object.require("cwd"),
                "",
                hasTool ? tool(object.require("tool_name"), object.object("tool_input")) : null);
    }

    private static Kind kind(String event, JsonObject object) {
        return switch (event) {
            case "BeforeTool" -> Kind.BEFORE;
            case "AfterTool" -> object.loose("tool_response").has("error") ? Kind.FAILED : Kind.AFTER;
            case "AfterAgent" -> Kind.STOP;
            case "SessionEnd" -> Kind.SESSION_END;
            case "SessionStart" -> Kind.SESSION_START;
            default -> Kind.OTHER;
        };
    }

    private static ToolUse tool(String tool, JsonObject input) {
        return switch (tool) {
            case "read_file" -> AgentTools.read(input);
            case "read_many_files" -> new HookEvent.Read(input.texts("include", "paths"));
            case "replace" -> AgentTools.replace(input);
            case "write_file" -> AgentTools.write(input);
            case "run_shell_command" -> AgentTools.shell(input.command("command"), false);
            default -> AgentTools.unknown(tool, input);
        };
    }

    @Override
    public String answer(HookEvent event, HookVerdict verdict) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        if (verdict instanceof HookVerdict.Deny deny) {
            answer.put("decision", "deny");
            answer.put("reason", deny.reason());
        } else if (verdict instanceof HookVerdict.Report report) {
            context(event, report.problem(), answer);
        } else if (verdict instanceof HookVerdict.Allow allow && !allow.notes().isEmpty()) {
            context(event, String.join("\n", allow.notes()), answer);
        }
        return answer.isEmpty() ? "" : JsonWriter.ascii(answer);
    }

    private static void context(HookEvent event, String text, Map<String, @Nullable Object> answer) {
        answer.put("systemMessage", text);
        if (event.kind() == Kind.AFTER) {
            Map<String, @Nullable Object> context = new LinkedHashMap<>();
            context.put("hookEventName", event.name());
            context.put("additionalContext", text);
            answer.put("hookSpecificOutput", context);
        }
    }
}
