package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.agents.HookEvent.ToolUse;

/** opencode, through the plugin that {@code agent-hook install opencode} writes. */
final class OpencodeDialect implements AgentDialect {
    static final String NAME = "opencode";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public HookEvent parse(String json, String event) {
        JsonObject object = JsonObject.parse(json);
        String known = object.require("event");
        Kind kind =
                switch (known) {
                    case "tool.execute.before" -> Kind.BEFORE;
                    case "tool.execute.after" -> Kind.AFTER;
                    case "session.idle" -> Kind.STOP;
                    case "session.deleted" -> Kind.SESSION_END;
                    default -> Kind.OTHER;
                };
        boolean hasTool = kind == Kind.BEFORE || kind == Kind.AFTER;
        String agent = AgentTools.id(object.text("agent"));
        return new HookEvent(
                kind == Kind.STOP && !agent.isEmpty() ? Kind.AGENT_STOP : kind,
                known,
                object.require("sessionID"),
                agent,
                object.require("cwd"),
                AgentTools.id(object.text("callID")),
                hasTool ? tool(object.require("tool"), object.object("args")) : null);
    }

    private static ToolUse tool(String tool, JsonObject input) {
        return switch (tool) {
            case "read" -> AgentTools.read(input);
            case "edit", "multiedit" -> AgentTools.replace(input);
            case "write" -> AgentTools.write(input);
            case "patch", "apply_patch" -> AgentTools.patch(input.require("patchText", "patch", "input"));
            case "bash" -> AgentTools.shell(input.command("command"), false);
            default -> AgentTools.unknown(tool, input);
        };
    }

    @Override
    public String answer(HookEvent event, HookVerdict verdict) {
        return FlatAnswer.of(verdict, "decision", "reason", "note");
    }
}
