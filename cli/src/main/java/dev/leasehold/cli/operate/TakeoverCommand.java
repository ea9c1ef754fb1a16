package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import java.time.Duration;

/** {@code leasehold takeover}: acquires a lease that is still held. */
public final class TakeoverCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("takeover", "take a lease from its holder (operators)")
                .description(
                        """
                        Acquires the lease now, even if it is held, and prints the new token on stdout. The old holder
                        notices at its next renewal. Until then only targets that know the new token refuse its writes:
                        the targets that the store remembers are raised, and those that --guard names. To run a command
                        in place of the holder, use 'leasehold run NAME --take-over --reason S -- COMMAND', or pass the
                        field 'grant' of --json to 'leasehold run --grant'.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.REASON)
                .option(SharedOptions.TTL)
                .option(OperatorMove.ONLY_TOKEN)
                .option(SharedOptions.OPERATOR)
                .option(SharedOptions.GUARD)
                .example("leasehold takeover daily-publish --reason 'stuck since noon' --guard public/index.html");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        OperatorMove move = new OperatorMove(invocation);
        Note reason = SharedOptions.reason(invocation.arguments());
        Duration ttl = SharedOptions.ttl(invocation);
        return move.makeOnExisting(Intervention.takeover(move.name(), move.attempt(), move.operator(), ttl, reason));
    }
}
