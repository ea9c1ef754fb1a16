package dev.leasehold.cli.store;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;

/** {@code leasehold simulate}: searches for a history in which the protocol fails. */
public final class SimulateCommand implements Command {
    public static final Option SEEDS =
            Option.of("seeds", "N", Kind.NUMBER, "how many histories to run (default: 20000)");
    public static final Option FROM = Option.of("from", "S", Kind.NUMBER, "the first seed (default: 1)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("simulate", "search simulated histories for one in which the protocol fails")
                .description(
                        """
                        Runs the real engine in virtual time: leases, work items, scheduled jobs and a fenced file, with
                        pauses, crashes, power cuts, lost and delayed messages, clocks that jump, a store that restarts
                        or loses writes, and operators who intervene. The seed determines the whole history. The
                        invariants are checked after every step. Exit 1 if one is violated, with a minimised history and
                        the command that shows it again. A single seed prints its whole history. Only a source checkout
                        has this command.""")
                .option(SEEDS)
                .option(FROM)
                .example("leasehold simulate --seeds 1 --from 4711");
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        return SimulatorModule.run("dev.leasehold.simulator.SimulateProgram", invocation);
    }
}
