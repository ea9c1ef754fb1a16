package dev.leasehold.cli.store;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;

/** {@code leasehold simulate}: looks for a history in which the protocol breaks. */
public final class SimulateCommand implements Command {
    public static final Option SEEDS = Option.of("seeds", "N", Kind.NUMBER, "how many histories (default: 20000)");
    public static final Option FROM = Option.of("from", "S", Kind.NUMBER, "the first seed (default: 1)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("simulate", "look for a history in which the protocol breaks")
                .description(
                        """
                        Runs the engine itself in virtual time, leases, work items, scheduled jobs and a fenced file, with
                        pauses, crashes, power cuts, lost and delayed messages, clocks that jump, a store that restarts or
                        loses writes, and operators who step in. The seed decides everything: the same seed gives the same
                        history. Checks what must always hold at every step. Exit 1 if it did not, with a history made small
                        and the command that shows it again. One seed alone is told in full.""")
                .option(SEEDS)
                .option(FROM)
                .example("leasehold simulate --seeds 100000")
                .example("leasehold simulate --seeds 1 --from 4711");
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        return SimulatorModule.run("dev.leasehold.simulator.SimulateProgram", invocation);
    }
}
