package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;

/** {@code leasehold cancel}: revokes a lease and leaves the name free. */
public final class CancelCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("cancel", "revoke a lease and leave it free (operators)")
                .description(
                        """
                        Raises the token and leaves the lease free for the next run. The old holder notices at its next
                        renewal. Until then only targets that know the new token refuse its writes: the targets that the
                        store remembers are raised, and those that --guard names.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.REASON)
                .option(OperatorMove.ONLY_TOKEN)
                .option(SharedOptions.OPERATOR)
                .option(SharedOptions.GUARD)
                .example("leasehold cancel daily-publish --reason 'wrong input'");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        OperatorMove move = new OperatorMove(invocation);
        Note reason = SharedOptions.reason(invocation.arguments());
        return move.makeOnExisting(Intervention.cancel(move.name(), move.attempt(), move.operator(), reason));
    }
}
