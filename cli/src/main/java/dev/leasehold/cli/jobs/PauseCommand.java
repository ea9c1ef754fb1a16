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
                        Drops the slots of the job on every machine from now on, and records the reason. A slot that is
                        running continues. 'leasehold resume' ends the pause; the dropped slots are not run later.""")
                .positional(Positional.of("NAME", Kind.JOB_NAME))
                .option(SharedOptions.REASON)
                .option(SharedOptions.OPERATOR)
                .example("leasehold pause daily-publish --reason 'moving the database'");
    }

    @Override
    public int run(Invocation invocation) {
        return new JobPause(invocation).pause();
    }
}
