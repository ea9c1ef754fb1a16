package dev.leasehold.agents;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Notices two agents that may edit the same file at the same moment. A permission counts for as long as
 * the lease that it is based on lasts for sure: from the start of the call of the hook.
 */
final class Exclusion {
    private final Duration ttl;
    private final Map<ScriptedAgent, Instant> permitted = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private int interruptions;

    Exclusion(Duration ttl) {
        this.ttl = ttl;
    }

    /** When an agent called the hook, and how many interruptions there were before. */
    record Asked(Instant at, int interruptions) {}

    Asked ask(Instant now) {
        return new Asked(now, interruptions);
    }

    /** The agent has got its permission. */
    void enter(ScriptedAgent agent, Asked asked, Instant now) {
        permitted.values().removeIf(since -> !since.plus(ttl).isAfter(now));
        boolean lapsed = !asked.at().plus(ttl).isAfter(now);
        if (lapsed || asked.interruptions() < interruptions) {
            return;
        }
        for (ScriptedAgent other : permitted.keySet()) {
            violations.add(agent + " may edit while " + other + " does");
        }
        permitted.put(agent, asked.at());
    }

    void leave(ScriptedAgent agent) {
        permitted.remove(agent);
    }

    /** An operator has ended the leases, and whoever is in between goes on without one. */
    void interrupt() {
        interruptions++;
        permitted.clear();
    }

    List<String> violations() {
        return violations;
    }
}
