package dev.leasehold.agents;

import dev.leasehold.model.Grant;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * How the hook works.
 *
 * @param agent what the agent is called, for people
 * @param host where it runs, for people
 * @param ttl how long a lease outlasts the last tool call
 * @param acrossWorktrees whether to warn of edits of the same file in other worktrees of the repository
 * @param task the lease under which the whole agent runs; null if there is none. If it is lost, every
 *     tool call is refused
 * @param pushes decides about {@code git push}
 */
public record HookSettings(
        String agent,
        String host,
        Duration ttl,
        boolean acrossWorktrees,
        @Nullable Grant task,
        PushRule pushes,
        Ids ids,
        InstantSource clock) {
    public static final Duration DEFAULT_TTL = Duration.ofMinutes(10);

    /** Says why a push must not run. */
    public interface PushRule {
        /** @return the reason against the command; null if there is none */
        @Nullable
        String reasonAgainst(String command, String cwd);

        /** Permits every push. */
        static PushRule none() {
            return (command, cwd) -> null;
        }
    }
}
