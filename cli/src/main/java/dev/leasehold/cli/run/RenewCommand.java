package dev.leasehold.cli.run;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.NotCurrent;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;

/** {@code leasehold renew}: extends a lease, for the current token only. */
public final class RenewCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("renew", "extend a lease by its token")
                .description(
                        """
                        Moves the deadline of the lease to one ttl from now, but never backwards. Exit 12 if the token
                        is not current or the deadline has passed. The token does not change. NAME defaults to
                        $LEASEHOLD_NAME.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.TOKEN)
                .option(SharedOptions.TTL)
                .example("leasehold renew daily-publish --token 42 --ttl 10m");
    }

    @Override
    public int run(Invocation invocation) {
        Grant grant = ShownGrant.ofPositional(invocation);
        Duration ttl = SharedOptions.ttl(invocation);
        try (LeaseStore store = invocation.openStore()) {
            Renewal renewal = store.renew(List.of(new RenewRequest(grant, ttl))).get(0);
            if (renewal instanceof Renewal.NotRenewed not) {
                return NotCurrent.report(invocation, grant, not.loss(), "nothing was renewed");
            }
            if (renewal instanceof Renewal.Unknown unknown) {
                throw new StoreUnavailableException(unknown.why());
            }
            Duration remaining = ((Renewal.Renewed) renewal).remaining();
            if (invocation.json()) {
                invocation
                        .console()
                        .print(JsonViews.outcome("renewed", grant)
                                .put("expiresInMs", remaining)
                                .toString());
            } else {
                invocation.console().say(grant + " renewed, " + DurationText.show(remaining) + " left");
            }
            return ExitCode.OK;
        }
    }
}
