package dev.leasehold.client.message;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import org.jspecify.annotations.Nullable;

/**
 * What a fence remembers.
 *
 * @param raised the highest token that it has seen
 * @param once the highest token that used its one write
 */
public record FencePart(
        @Required String resource,
        @Required String name,
        @Required long raised,
        @Nullable String attempt,
        @Nullable Long once) {
    public static FencePart of(String resource, FenceState state) {
        AttemptId attempt = state.attempt();
        FencingToken once = state.once();
        return new FencePart(
                resource,
                state.name().value(),
                state.raised().value(),
                attempt == null ? null : attempt.value(),
                once == null ? null : once.value());
    }

    /** For those who may look and not act: with its attempt, a token is a whole grant. */
    public FencePart withoutAttempt() {
        return new FencePart(resource, name, raised, null, once);
    }
}
