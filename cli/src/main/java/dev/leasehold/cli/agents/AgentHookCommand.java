package dev.leasehold.cli.agents;

import dev.leasehold.agents.AgentDialect;
import dev.leasehold.agents.HookSettings;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.util.List;

/** {@code leasehold agent-hook}: keeps coding agents from overwriting each other. */
public final class AgentHookCommand implements Command {
    private static final List<String> ACTIONS = List.of("install", "uninstall", "status");
    private static final Duration LEAST_TTL = Duration.ofSeconds(10);

    static final Option ADVISE = Option.flag("advise", "only warn: permit what would be denied, and say so");
    static final Option EVENT =
            Option.of("event", "NAME", Kind.TEXT, "the event, for an agent that does not send its name");
    static final Option TTL =
            Option.of("ttl", "D", Kind.DURATION, "how long a lease outlasts the last tool call (default: 10m)");
    static final Option SCOPE = Option.of(
            "scope",
            "worktree|repository",
            Kind.CHOICE,
            "repository: also warn of edits of the same file in other worktrees (default: worktree)");
    static final Option STATE = Option.of(
            "state",
            "DIR",
            Kind.FILE,
            "where sessions are remembered (default: $LEASEHOLD_AGENT_STATE, else a directory of this user)");
    static final Option PROJECT =
            Option.flag("project", "install for the project in the current directory (the default)");
    static final Option USER = Option.flag("user", "install for all projects of this user");
    static final Option DRY_RUN = Option.flag("dry-run", "only show what would be changed");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("agent-hook", "keep coding agents from overwriting each other")
                .description(
                        """
                        Coding agents call 'leasehold agent-hook claude' (or codex, copilot, gemini, opencode) before and
                        after each tool call, with the event as JSON on stdin. Before an edit the hook acquires the lease
                        of the file for the session. It denies the edit if another session has the lease, or if the file
                        changed since the agent read it. Leases are released when the agent stops. If the hook itself
                        fails, it blocks the tool call with exit code 2. 'agent-hook install AGENT' writes the settings of
                        the agent, 'uninstall' removes them, and 'status' shows what is installed and which files are
                        being edited.""")
                .positional(Positional.of("AGENT|install|uninstall|status", Kind.TEXT))
                .positional(Positional.optional("AGENT", Kind.TEXT))
                .option(ADVISE)
                .option(EVENT)
                .option(TTL)
                .option(SCOPE)
                .option(STATE)
                .option(PROJECT)
                .option(USER)
                .option(DRY_RUN)
                .example("leasehold agent-hook install claude --project");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String first = arguments.positionals().get(0);
        String second = arguments.positional(1);
        AgentDialect dialect = AgentDialect.named(first);
        if (dialect != null) {
            if (second != null) {
                throw new UsageException("unexpected argument after " + first);
            }
            return new HookCall(invocation, dialect).run();
        }
        if (!ACTIONS.contains(first)) {
            throw new UsageException(SafeText.quote(first) + " is not one of " + AgentDialect.NAMES.replace("|", ", ")
                    + ", " + String.join(", ", ACTIONS));
        }
        if (first.equals("status")) {
            return new HookStatus(invocation).run(second);
        }
        if (second == null) {
            throw new UsageException("AGENT is missing: name one of " + AgentDialect.NAMES.replace("|", ", "));
        }
        requireDialect(second);
        if (arguments.has(PROJECT) && arguments.has(USER)) {
            throw new UsageException("--project and --user exclude each other");
        }
        HookInstallation installation = HookInstallation.of(invocation, second);
        return first.equals("install") ? installation.install() : installation.uninstall();
    }

    static void requireDialect(String name) {
        if (AgentDialect.named(name) == null) {
            throw new UsageException(SafeText.quote(name) + " is not one of " + AgentDialect.NAMES.replace("|", ", "));
        }
    }

    static Duration ttl(Arguments arguments) {
        Duration ttl = arguments.duration(TTL, HookSettings.DEFAULT_TTL);
        if (ttl.compareTo(LEAST_TTL) < 0 || ttl.compareTo(LeaseTerms.MAX_TTL) > 0) {
            throw new UsageException("--ttl " + arguments.text(TTL) + " is out of range: it must be between "
                    + DurationText.show(LEAST_TTL) + " and " + DurationText.show(LeaseTerms.MAX_TTL));
        }
        return ttl;
    }
}
