package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.HelpJson;
import dev.leasehold.cli.args.HelpText;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import java.util.ArrayList;
import java.util.List;

/** {@code leasehold help [COMMAND]}. */
final class HelpCommand implements Command {
    static final String ABOUT = "Leasehold: one run at a time, and no late write from a run that has lost its lease.";

    private static final String USAGE =
            "Usage: leasehold COMMAND ...      leasehold COMMAND --help      leasehold --version";

    static final List<String> FOOTER = List.of(
            "The store is --store URL or $LEASEHOLD_STORE, for example file:/shared/leases.",
            "The default is a directory of this user.",
            "Durations: 250ms, 90s, 15m, 2h.",
            "",
            "Exit codes: 0 success or skipped, 11 busy, 12 token not current, 13 stale token refused by the",
            "target, 64 usage, 69 store or target unavailable, 75 lease lost and command stopped, 124 timeout.",
            "Otherwise 'run' exits with the code of the command.",
            "",
            "Start with:  leasehold demo",
            "Then:        leasehold run daily-publish -- ./publish.sh");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("help", "show all commands, or the options of one")
                .description("Shows all commands, or the help of one, as 'leasehold COMMAND --help' does.")
                .positional(Positional.optional("COMMAND", Kind.COMMAND))
                .example("leasehold help run");
    }

    @Override
    public int run(Invocation invocation) {
        String name = invocation.arguments().positional(0);
        if (name == null) {
            return overview(invocation.console(), invocation.json());
        }
        Command command = Commands.named(name);
        if (command == null) {
            throw Main.unknown(name);
        }
        return about(command.spec(), invocation.console(), invocation.json());
    }

    static int overview(Console console, boolean json) {
        if (json) {
            for (Commands.Group group : Commands.groups()) {
                for (CommandSpec spec : Commands.specs(group.names())) {
                    console.print(HelpJson.summary(group.title(), spec).toString());
                }
            }
            return ExitCode.OK;
        }
        List<String> lines = new ArrayList<>();
        lines.add(ABOUT);
        lines.add("");
        lines.add(USAGE);
        for (Commands.Group group : Commands.groups()) {
            lines.add("");
            lines.add(group.title() + ":");
            lines.addAll(HelpText.summaries(Commands.specs(group.names())));
        }
        lines.add("");
        lines.addAll(FOOTER);
        return print(lines, console);
    }

    static int about(CommandSpec spec, Console console, boolean json) {
        return print(json ? List.of(HelpJson.of(spec).toString()) : HelpText.of(spec), console);
    }

    private static int print(List<String> lines, Console console) {
        for (String line : lines) {
            console.print(line);
        }
        return ExitCode.OK;
    }
}
