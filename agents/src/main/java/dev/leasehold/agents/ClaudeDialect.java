package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.agents.HookEvent.ToolUse;
import dev.leasehold.internal.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claude Code, as documented for version 2. */
class ClaudeDialect implements AgentDialect {
    static final String NAME = "claude";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public HookEvent parse(String json, String event) {
        JsonObject object = JsonObject.parse(json);
        String name = object.text("hook_event_name");
        String known = name == null ? event : name;
        if (known.isEmpty()) {
            throw new IllegalArgumentException("the field hook_event_name is missing");
        }
        Kind kind = kind(known);
        boolean hasTool = kind == Kind.BEFORE || kind == Kind.AFTER || kind == Kind.FAILED;
        return new HookEvent(
                kind,
                known,
                object.require("session_id", "sessionId"),
                AgentTools.id(object.text("agent_id")),
                object.require("cwd"),
                AgentTools.id(object.text("tool_use_id")),
                hasTool ? tool(object.require("tool_name"), object.object("tool_input")) : null);
    }

    Kind kind(String event) {
        return switch (event) {
            case "PreToolUse" -> Kind.BEFORE;
            case "PostToolUse" -> Kind.AFTER;
            case "PostToolUseFailure" -> Kind.FAILED;
            case "SubagentStop" -> Kind.AGENT_STOP;
            case "Stop" -> Kind.STOP;
            case "SessionEnd" -> Kind.SESSION_END;
            case "SessionStart" -> Kind.SESSION_START;
            default -> Kind.OTHER;
        };
    }

    ToolUse tool(String tool, JsonObject input) {
        return switch (tool) {
            case "Read", "NotebookRead" -> AgentTools.read(input);
            case "Edit", "MultiEdit" -> AgentTools.replace(input);
            case "Write" -> AgentTools.write(input);
            case "NotebookEdit" -> AgentTools.change(input);
            case "Bash", "PowerShell" -> AgentTools.shell(input.command("command"), false);
            default -> AgentTools.unknown(tool, input);
        };
    }

    @Override
    public String answer(HookEvent event, HookVerdict verdict) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        if (verdict instanceof HookVerdict.Deny deny) {
            Map<String, @Nullable Object> decision = specific(event);
            decision.put("permissionDecision", "deny");
            decision.put("permissionDecisionReason", deny.reason());
            answer.put("hookSpecificOutput", decision);
        } else if (verdict instanceof HookVerdict.Report report) {
            report(event, report.problem(), answer);
        } else if (verdict instanceof HookVerdict.Allow allow && !allow.notes().isEmpty()) {
            note(event, allow.notes(), answer);
        }
        return answer.isEmpty() ? "" : JsonWriter.ascii(answer);
    }

    private static void report(HookEvent event, String problem, Map<String, @Nullable Object> answer) {
        if (event.kind() == Kind.AFTER) {
            answer.put("decision", "block");
            answer.put("reason", problem);
        } else {
            // To block a stop would make the agent go on for ever.
            answer.put("systemMessage", problem);
        }
    }

    private static void note(HookEvent event, List<String> notes, Map<String, @Nullable Object> answer) {
        String text = String.join("\n", notes);
        if (event.kind() == Kind.BEFORE || event.kind() == Kind.AFTER) {
            Map<String, @Nullable Object> context = specific(event);
            context.put("additionalContext", text);
            answer.put("hookSpecificOutput", context);
        } else {
            answer.put("systemMessage", text);
        }
    }

    private static Map<String, @Nullable Object> specific(HookEvent event) {
        Map<String, @Nullable Object> specific = new LinkedHashMap<>();
        specific.put("hookEventName", event.name());
        return specific;
    }
}
