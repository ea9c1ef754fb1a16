package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.fence.FencedLog;
import java.nio.file.Path;

/** {@code leasehold append}: appends stdin to a log as one record, unless the token is stale. */
public final class AppendCommand implements Command {
    @Override
    public CommandSpec spec() {
        return FencedWrite.options(CommandSpec.of("append", "append stdin to a log, unless the token is stale")
                .description(
                        """
                        Reads stdin to its end, then appends it to FILE as one record of whole lines, if the file has
                        seen no higher token. Records never interleave, and an acknowledged record survives a crash.
                        Lines that others append without Leasehold are kept; if the log was moved away, a new one is
                        started. Exit 13 if the token is stale; then FILE is unchanged.""")
                .positional(Positional.of("FILE", Kind.FILE))
                .example("date | leasehold append journal.log --name nightly --token 42"));
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Path path =
                FileTargets.parse("FILE", invocation.arguments().positionals().get(0));
        FencedLog log = FencedLog.at(path);
        return FencedWrite.ofStdin(
                invocation, Observation.isWanted(invocation) ? log.observing() : log, path, "appended");
    }
}
