package dev.leasehold.client.message;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event of a coding agent on the host of the server.
 *
 * @param agent which dialect it speaks
 * @param name the name of the event, for an agent that does not send it
 * @param grant the lease under which the agent runs
 * @param event what the agent sent to its hook
 */
public record AgentHookCall(
        @Required String agent, @Nullable String name, @Nullable String grant, @Required Map<String, Object> event) {}
