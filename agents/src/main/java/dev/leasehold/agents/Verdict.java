package dev.leasehold.agents;

import java.util.List;

/** The decision about an event. */
public sealed interface Verdict {
    /**
     * The agent goes on.
     *
     * @param notes what the agent should know
     */
    record Allow(List<String> notes) implements Verdict {}

    /** The tool call is refused. */
    record Deny(String reason) implements Verdict {}

    /** The tool has run, and something went wrong that the agent has to mend. */
    record Report(String problem) implements Verdict {}

    static Verdict allow() {
        return new Allow(List.of());
    }
}
