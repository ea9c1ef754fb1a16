package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;

/** {@code leasehold pause}: drops a job's slots until it is resumed. */
public final class PauseCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("pause", "drop the slots of a scheduled job until it is resumed")
                .description(
                        """
                        From now on the job's slots are recorded as dropped, with the reason, on every machine. What is running goes
                        on. 'leasehold resume' ends it; the slots that were due meanwhile are not made up for.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.REASON)
                .option(SharedOptions.HOLDER)
                .example("leasehold pause daily-publish --reason 'moving the database'");
    }

    @Override
    public int run(Invocation invocation) {
        return new JobPause(invocation).pause();
    }
}
