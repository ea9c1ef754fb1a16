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
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.work.CurrentWork;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.spi.LeaseStore;

/** {@code leasehold progress}: proof that the work gets on, which a heartbeat is not. */
public final class ProgressCommand implements Command {
    private static final Option NOTE = Option.of("note", "S", Kind.TEXT, "what is going on, for people to read");
    private static final Option CHECKPOINT =
            Option.of("checkpoint", "S", Kind.TEXT, "where the work got to, for the next run");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("progress", "report that the work gets on")
                .description(
                        """
                        Records proof of progress, which 'leasehold status' and 'leasehold explain' show. A lease that is
                        renewed shows only that its holder is alive; this shows that it is not stuck. Inside 'leasehold run'
                        name and token come from the environment. Exit 12 if the token is not current any more.""")
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
                return NotCurrent.tell(invocation, grant, not.loss(), "nothing was noted");
            }
            if (checkpoint != null && isOfRunAround(invocation, grant)) {
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

    /** Inside {@code run --key} the checkpoint is also the work item's, where the next run of the key finds it. */
    private static boolean isOfRunAround(Invocation invocation, Grant grant) {
        return invocation.env("LEASEHOLD_KEY") != null
                && grant.name().value().equals(invocation.env(ShownGrant.NAME_VARIABLE));
    }
}
