package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.ToolUse;

/**
 * Codex CLI, as documented for 0.144 to 0.164. Events and answers are those of Claude Code. It has no
 * tool that reads files, so naming a file in a shell command counts as reading it.
 */
final class CodexDialect extends ClaudeDialect {
    static final String NAME = "codex";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    ToolUse tool(String tool, JsonObject input) {
        return switch (tool) {
            case "apply_patch", "functions.apply_patch" -> AgentTools.patch(input.require("command", "input", "patch"));
            case "Bash", "shell", "local_shell", "exec_command", "unified_exec" ->
                AgentTools.shell(input.command("command", "cmd"), true);
            default -> super.tool(tool, input);
        };
    }
}
