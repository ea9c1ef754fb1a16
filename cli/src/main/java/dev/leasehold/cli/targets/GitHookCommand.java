package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.git.GitHook;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code leasehold git-hook}: makes a repository require the fence, even from a plain
 * {@code git push}.
 */
public final class GitHookCommand implements Command {
    private static final Option NAME =
            Option.of("name", "NAME", Kind.LEASE_NAME, "require the fence of this lease (default: of any lease)");
    private static final Option PROTECT = Option.of(
                    "protect", "PATTERN", Kind.TEXT, "refs that require the fence (default: refs/heads/*)")
            .repeated();

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("git-hook", "make your git repository refuse pushes without the fence")
                .description(
                        """
                        Installs a reference-transaction hook in REPO, a repository on this machine that others push to
                        (default: the current directory). Git then refuses every update of the protected refs that does
                        not advance the fence in the same transaction: a plain 'git push' by a run that lost its lease
                        or by a user without Leasehold, and 'git update-ref' on the machine itself. An administrator can
                        bypass the hook there with LEASEHOLD_GIT_HOOK=off in the environment. An existing hook is kept
                        and still called.""")
                .positional(Positional.of("install|uninstall|status", Kind.CHOICE))
                .positional(Positional.optional("REPO", Kind.FILE))
                .option(NAME)
                .option(PROTECT)
                .example("leasehold git-hook install /srv/git/site.git --name daily-publish");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String given = arguments.positional(1);
        Path repository = FileTargets.parse("REPO", given == null ? "." : given).toAbsolutePath();
        String action = arguments.positionals().get(0);
        if (!action.equals("install") && (arguments.has(NAME) || arguments.has(PROTECT))) {
            throw new UsageException("--name and --protect are for 'git-hook install' only");
        }
        GitHook hook = GitHook.of(repository, invocation.environment());
        Console console = invocation.console();
        switch (action) {
            case "install" -> {
                LeaseName name = arguments.leaseName(NAME);
                hook.install(name, arguments.all(PROTECT))
                        .ifPresent(kept -> console.say("the existing hook is kept as " + kept + " and still called"));
            }
            case "uninstall" -> {
                if (!hook.uninstall()) {
                    console.say("Leasehold has no hook in " + hook.file());
                }
            }
            default -> {}
        }
        report(invocation, hook, action.equals("status"));
        return ExitCode.OK;
    }

    /** @param asked the rules are the answer, and not only what came of it */
    private static void report(Invocation invocation, GitHook hook, boolean asked) {
        Optional<GitHook.Rules> rules = hook.status();
        if (invocation.json()) {
            Json json = new Json().put("installed", rules.isPresent()).put("file", hook.file());
            rules.ifPresent(r -> json.put("lease", r.lease()).put("protect", r.patterns()));
            invocation.console().print(json.toString());
            return;
        }
        String line = rules.map(GitHookCommand::words).orElse("not protected: plain pushes are accepted") + " ("
                + hook.file() + ")";
        Console console = invocation.console();
        if (asked) {
            console.print(console.safe(line));
        } else {
            console.tell(line);
        }
    }

    private static String words(GitHook.Rules rules) {
        List<String> patterns = rules.patterns();
        return "protected: " + String.join(" ", patterns) + " move only together with the fence of "
                + (rules.lease() == null ? "a lease" : rules.lease());
    }
}
