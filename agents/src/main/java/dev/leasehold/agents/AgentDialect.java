package dev.leasehold.agents;

import org.jspecify.annotations.Nullable;

/** The JSON of one kind of agent. */
public interface AgentDialect {
    /** The name on the command line. */
    String name();

    /**
     * Reads an event.
     *
     * @param event the name of the event, for agents that do not send it; may be empty
     * @throws IllegalArgumentException if the text is not an event of this agent
     */
    HookEvent parse(String json, String event);

    /** The JSON that tells the agent about the decision; empty if there is nothing to say. */
    String answer(HookEvent event, HookVerdict verdict);

    /** The dialect of this name; null if there is none. */
    static @Nullable AgentDialect named(String name) {
        return switch (name) {
            case ClaudeDialect.NAME -> new ClaudeDialect();
            case CodexDialect.NAME -> new CodexDialect();
            case CopilotDialect.NAME -> new CopilotDialect();
            case GeminiDialect.NAME -> new GeminiDialect();
            case OpencodeDialect.NAME -> new OpencodeDialect();
            default -> null;
        };
    }

    /** All names, as a choice on the command line. */
    String NAMES = "claude|codex|copilot|gemini|opencode";
}
