package dev.leasehold.cli.agents;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.output.SafeText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The directory in which the hook remembers sessions, and keeps copies of versions. */
public final class AgentState {
    static final String VARIABLE = "LEASEHOLD_AGENT_STATE";

    private AgentState() {}

    static Path directory(Invocation invocation) {
        String given = invocation.arguments().text(AgentHookCommand.STATE);
        return directory(invocation, given == null ? invocation.env(VARIABLE) : given);
    }

    /** @param given null for the directory of this user */
    public static Path directory(Invocation invocation, @Nullable String given) {
        String path = given == null ? StoreUrl.stateDirectory(invocation) + "/leasehold-agents" : given;
        try {
            return Path.of(path).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new UsageException("the state directory " + SafeText.quote(path) + " is not a valid path", e);
        }
    }
}
