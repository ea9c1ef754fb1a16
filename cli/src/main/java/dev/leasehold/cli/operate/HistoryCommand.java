package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.output.Table;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.time.Instant;
import java.util.List;

/** {@code leasehold history}: shows the changes of ownership of a lease, with their reasons. */
public final class HistoryCommand implements Command {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 1000;

    private static final Option LIMIT =
            Option.of("limit", "N", Kind.NUMBER, "how many to show (default: 20; stores keep at least the last 50)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("history", "show the changes of ownership of a lease")
                .description(
                        """
                        Shows the latest changes of ownership, newest first: the new token, the time, the reason and
                        the new holder. Reasons: first, released, expired, takeover, cancelled, recovered.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(LIMIT)
                .example("leasehold history daily-publish --limit 5");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        LeaseName name = arguments.leaseName(0);
        int limit = (int) arguments.number(LIMIT, 1, MAX_LIMIT, DEFAULT_LIMIT);
        try (LeaseStore store = invocation.openStoreToRead()) {
            List<Transfer> transfers = store.history(name, limit);
            if (invocation.json()) {
                for (Transfer transfer : transfers) {
                    invocation.console().print(JsonViews.transfer(transfer).toString());
                }
            } else if (transfers.isEmpty()) {
                invocation.console().tell(name + " was never held in this store");
            } else {
                Instant now = store.inspect(name)
                        .map(LeaseSnapshot::readAt)
                        .orElse(transfers.get(0).at());
                table(transfers, now).lines().forEach(invocation.console()::print);
            }
            return ExitCode.OK;
        }
    }

    static Table table(List<Transfer> transfers, Instant now) {
        Table table = new Table("TOKEN", "WHEN", "AGE", "REASON", "HOLDER", "NOTE");
        for (Transfer transfer : transfers) {
            table.row(
                    transfer.token().toString(),
                    RelativeTime.at(transfer.at()),
                    RelativeTime.age(transfer.at(), now),
                    transfer.reason().word(),
                    transfer.holder().value(),
                    transfer.note() == null ? "" : transfer.note().value());
        }
        return table;
    }
}
