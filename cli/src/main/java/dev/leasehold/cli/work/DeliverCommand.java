package dev.leasehold.cli.work;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.NotCurrent;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.leased.UnlimitedCommand;
import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Delivery;
import dev.leasehold.work.Effect;
import dev.leasehold.work.WorkLedger;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code leasehold deliver}: runs a command for each undelivered effect of completed work. */
public final class DeliverCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("deliver", "run a command for each undelivered effect of completed work")
                .description(
                        """
                        'leasehold done --effect S' stores effects together with the completion. This command runs
                        COMMAND for each undelivered effect of the lease, including those of dead runs, with its text in
                        LEASEHOLD_EFFECT and its id in LEASEHOLD_EFFECT_ID. If COMMAND exits with 0, the effect counts
                        as delivered. Otherwise it stays for the next call, and the exit code is 1. An effect may be
                        delivered more than once, always with the same id.""")
                .passthrough("COMMAND...")
                .withoutJson("stdout belongs to the command")
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .example("leasehold deliver -- sh -c './mail --id \"$LEASEHOLD_EFFECT_ID\" \"$LEASEHOLD_EFFECT\"'");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        Grant grant = ShownGrant.ofOptions(invocation);
        List<String> command = arguments.passthrough();
        int impossible = LeasedCommand.lookUp(invocation, command.get(0));
        if (impossible != 0) {
            return impossible;
        }
        try (LeaseStore store = invocation.openStore()) {
            Optional<Loss> loss = new BestEffortGate(store, new SystemTicker()).check(grant);
            if (loss.isPresent()) {
                return NotCurrent.report(invocation, grant, loss.get(), "nothing was delivered");
            }
            return report(invocation, WorkLedger.over(store).deliver(grant, effect -> deliver(effect, command)));
        }
    }

    private static int report(Invocation invocation, Delivery delivery) {
        for (Delivery.Left left : delivery.left()) {
            invocation
                    .console()
                    .error("effect " + left.effect().id() + " was not delivered and stays for the next call: "
                            + left.why().getMessage());
        }
        invocation.console().say(delivery.delivered().size() + " delivered");
        return delivery.left().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void deliver(Effect effect, List<String> command) throws IOException, InterruptedException {
        Map<String, String> variables = Map.of("LEASEHOLD_EFFECT_ID", effect.id(), "LEASEHOLD_EFFECT", effect.body());
        int code = UnlimitedCommand.run(command, variables);
        if (code != 0) {
            throw new IOException("exit " + code);
        }
    }
}
