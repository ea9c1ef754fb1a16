package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;

/** {@code leasehold resume}: ends the pause of a job. */
public final class ResumeCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("resume", "run the slots of a paused job again")
                .description(
                        """
                        Ends what 'leasehold pause' began. The slots that were due meanwhile are dropped and stay so; the next one runs
                        when it is due.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.REASON)
                .option(SharedOptions.HOLDER)
                .example("leasehold resume daily-publish --reason 'the database has moved'");
    }

    @Override
    public int run(Invocation invocation) {
        return new JobPause(invocation).resume();
    }
}
