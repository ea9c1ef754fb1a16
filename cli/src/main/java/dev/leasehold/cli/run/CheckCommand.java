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
import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.LeaseStore;
import java.util.Optional;

/** {@code leasehold check}: asks the store whether a token is current. Best effort. */
public final class CheckCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("check", "check whether a token is current (best effort)")
                .description(
                        """
                        Asks the store whether the token is current. Exit 0 if it was current a moment ago, 12 if not.
                        This is best effort: the lease may be lost between the answer and your next action, and a paused
                        process does not notice. If the target can check tokens, let it do so: see 'leasehold write'.
                        NAME defaults to $LEASEHOLD_NAME.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.TOKEN)
                .example("leasehold check daily-publish --token 42 && ./send-mail");
    }

    @Override
    public int run(Invocation invocation) {
        Grant grant = ShownGrant.ofPositional(invocation);
        try (LeaseStore store = invocation.openStore()) {
            Optional<Loss> loss = new BestEffortGate(store, new SystemTicker()).check(grant);
            if (loss.isPresent()) {
                return NotCurrent.report(invocation, grant, loss.get(), "stop");
            }
            if (invocation.json()) {
                invocation
                        .console()
                        .print(JsonViews.outcome("current", grant)
                                .put("guarantee", "best-effort")
                                .toString());
            } else {
                invocation
                        .console()
                        .tell(grant + " is current (best effort: the lease may be lost between this answer and your"
                                + " next action)");
            }
            return ExitCode.OK;
        }
    }
}
