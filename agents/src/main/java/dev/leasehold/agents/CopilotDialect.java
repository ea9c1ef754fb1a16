package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.agents.HookEvent.ToolUse;

/**
 * GitHub Copilot CLI, with hooks in {@code .github/hooks}. It does not send the name of the event, so
 * the command line has it. Copilot also reads the settings of Claude Code; there it speaks that
 * dialect.
 */
final class CopilotDialect implements AgentDialect {
    static final String NAME = "copilot";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public HookEvent parse(String json, String event) {
        JsonObject object = JsonObject.parse(json);
        String sent = object.text("hook_event_name", "hookEventName");
        String known = sent == null ? event : sent;
        if (known.isEmpty()) {
            throw new IllegalArgumentException("the name of the event is missing: pass it as --event NAME");
        }
        Kind kind = kind(known, object);
        boolean hasTool = kind == Kind.BEFORE || kind == Kind.AFTER || kind == Kind.FAILED;
        return new HookEvent(
                kind,
                known,
                object.require("sessionId", "session_id"),
                AgentTools.id(object.text("agentId", "agent_id")),
                object.require("cwd"),
                AgentTools.id(object.text("toolCallId", "tool_use_id")),
                hasTool
                        ? tool(object.require("toolName", "tool_name"), object.object("toolArgs", "tool_input"))
                        : null);
    }

    private static Kind kind(String event, JsonObject object) {
        return switch (event) {
            case "preToolUse", "PreToolUse" -> Kind.BEFORE;
            case "postToolUse", "PostToolUse" -> {
                String result = object.loose("toolResult", "tool_result").text("resultType", "result_type");
                yield result == null || result.equals("success") ? Kind.AFTER : Kind.FAILED;
            }
            case "postToolUseFailure", "PostToolUseFailure" -> Kind.FAILED;
            case "subagentStop", "SubagentStop" -> Kind.AGENT_STOP;
            case "agentStop", "Stop" -> Kind.STOP;
            case "sessionEnd", "SessionEnd" -> Kind.SESSION_END;
            case "sessionStart", "SessionStart" -> Kind.SESSION_START;
            default -> Kind.OTHER;
        };
    }

    private static ToolUse tool(String tool, JsonObject input) {
        return switch (tool) {
            case "view" -> AgentTools.read(input);
            case "edit" -> AgentTools.replace(input);
            case "create" -> AgentTools.write(input);
            case "str_replace_editor" ->
                "view".equals(input.text("command")) ? AgentTools.read(input) : AgentTools.change(input);
            case "apply_patch" -> AgentTools.patch(input.require("patch", "input", "command"));
            case "bash", "powershell" -> AgentTools.shell(input.command("command"), false);
            default -> AgentTools.unknown(tool, input);
        };
    }

    @Override
    public String answer(HookEvent event, HookVerdict verdict) {
        return FlatAnswer.of(verdict, "permissionDecision", "permissionDecisionReason", "additionalContext");
    }
}
