package dev.leasehold.agents;

import java.util.List;

/** The decision about an event. */
public sealed interface HookVerdict {
    /**
     * The agent goes on.
     *
     * @param notes what the agent should know
     */
    record Allow(List<String> notes) implements HookVerdict {}

    /** The tool call is refused. */
    record Deny(String reason) implements HookVerdict {}

    /** The tool has run, and something went wrong that the agent has to mend. */
    record Report(String problem) implements HookVerdict {}

    static HookVerdict allow() {
        return new Allow(List.of());
    }
}
