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
        return CommandSpec.of("resume", "end the pause of a scheduled job")
                .description(
                        """
                        Ends the pause that 'leasehold pause' began. The slots that were dropped meanwhile are not run
                        later; the next slot runs when it is due.""")
                .positional(Positional.of("NAME", Kind.JOB_NAME))
                .option(SharedOptions.REASON)
                .option(SharedOptions.OPERATOR)
                .example("leasehold resume daily-publish --reason 'the database has moved'");
    }

    @Override
    public int run(Invocation invocation) {
        return new JobPause(invocation).resume();
    }
}
