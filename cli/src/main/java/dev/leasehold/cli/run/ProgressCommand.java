package dev.leasehold.cli.run;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.NotCurrent;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.work.CurrentWork;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.spi.LeaseStore;

/**
 * {@code leasehold progress}: reports progress of the work. A heartbeat only shows that its holder
 * is alive.
 */
public final class ProgressCommand implements Command {
    private static final Option NOTE = Option.of("note", "S", Kind.TEXT, "the current state, for people to read");
    private static final Option CHECKPOINT =
            Option.of("checkpoint", "S", Kind.TEXT, "where the work has arrived, for the next run");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("progress", "report progress of the work")
                .description(
                        """
                        Records progress, which 'leasehold status' and 'leasehold explain' show. A renewal shows only
                        that the holder is alive; progress shows that it is not stuck. Inside 'leasehold run', name and
                        token come from the environment. Exit 12 if the token is no longer current.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.TOKEN)
                .option(NOTE)
                .option(CHECKPOINT)
                .example("leasehold progress daily-publish --token 42 --note 'page 40 of 90' --checkpoint p40");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Grant grant = ShownGrant.ofPositional(invocation);
        Note note = arguments.value(NOTE, Note::of);
        Checkpoint checkpoint = arguments.value(CHECKPOINT, Checkpoint::of);
        try (LeaseStore store = invocation.openStore()) {
            ProgressReport report = store.progress(grant, note, checkpoint);
            if (report instanceof ProgressReport.NotCurrent not) {
                return NotCurrent.report(invocation, grant, not.loss(), "nothing was recorded");
            }
            if (checkpoint != null && isOfOuterRun(invocation, grant)) {
                int refused = CurrentWork.checkpoint(invocation, store, grant, checkpoint);
                if (refused != ExitCode.OK) {
                    return refused;
                }
            }
            if (invocation.json()) {
                invocation.console().print(JsonViews.outcome("noted", grant).toString());
            }
            return ExitCode.OK;
        }
    }

    /**
     * Inside {@code run --key} the work item keeps the checkpoint too, for the next run of the key.
     */
    private static boolean isOfOuterRun(Invocation invocation, Grant grant) {
        return invocation.env(CommandEnvironment.KEY) != null
                && grant.name().value().equals(invocation.env(ShownGrant.NAME_VARIABLE));
    }
}
