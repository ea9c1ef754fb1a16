package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;

/** {@code leasehold repair}: raises the token after the store lost records. */
public final class RepairCommand implements Command {
    /**
     * Leaves room for a billion changes of ownership: a token at its maximum could never rise
     * again.
     */
    private static final long MOST = Long.MAX_VALUE - 1_000_000_000L;

    private static final Option ABOVE = Option.of(
                    "above", "N", Kind.NUMBER, "the highest token that a target has seen; the next token is higher")
            .needed();

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("repair", "raise the token after the store lost records (operators)")
                .description(
                        """
                        After a failover or a restore the store may issue tokens that targets have already seen, and
                        they refuse them. This command raises the token above the number that the refusal named, and
                        leaves the lease free. It never lowers a token. A store that was lost and created again is
                        another store: targets that are bound to the old one refuse it, whatever its tokens are. Bind
                        each of them to the new store with 'leasehold fence rebind'.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(ABOVE)
                .option(SharedOptions.REASON)
                .option(SharedOptions.OPERATOR)
                .option(SharedOptions.GUARD)
                .example("leasehold repair daily-publish --above 57 --reason 'restored from backup'");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        OperatorMove move = new OperatorMove(invocation);
        Note reason = SharedOptions.reason(arguments);
        long above = arguments.number(ABOVE, 1, MOST, 0);
        return move.make(Intervention.repair(move.name(), move.attempt(), move.operator(), above, reason));
    }
}
