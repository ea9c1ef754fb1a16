package dev.leasehold.cli.store;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;

/** {@code leasehold soak}: uses a store for a long time and checks that nothing fails or leaks. */
public final class SoakCommand implements Command {
    public static final Option MINUTES = Option.of(
            "minutes",
            "M",
            Kind.TEXT,
            "how long: minutes, such as 60 or 0.5, or a duration such as 90s or 2h (default: 1)");
    public static final Option RATE =
            Option.of("rate", "N", Kind.NUMBER, "the most rounds per second, of all workers together (default: 25)");
    public static final Option TTL =
            Option.of("ttl", "D", Kind.DURATION, "how long a lease lasts without renewal (default: 2s, at least 1s)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("soak", "use a store for a long time and check that nothing fails or leaks")
                .description(
                        """
                        Three clients with eight workers in one process acquire, await, renew, lose, take over, abandon
                        and release leases under scratch names, write fenced files and complete work items. Checks that
                        tokens rise, that no stale write or completion is accepted, that no acknowledged write is lost,
                        and that a holder notices its loss in time. Compares memory, threads and open files at the start,
                        the middle and the end. Without --store or $LEASEHOLD_STORE it uses a scratch directory. Removes
                        its scratch data. Ctrl-C ends it early, with the summary. Exit 1 if a check failed or a resource
                        leaked. Only a source checkout has this command.""")
                .option(MINUTES)
                .option(RATE)
                .option(TTL)
                .example("leasehold soak --minutes 60 --store postgresql://user@host/db");
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        return SimulatorModule.run("dev.leasehold.simulator.soak.SoakProgram", invocation);
    }
}
