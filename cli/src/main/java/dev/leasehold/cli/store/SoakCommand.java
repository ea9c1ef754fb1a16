package dev.leasehold.cli.store;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;

/** {@code leasehold soak}: uses a store for long, and looks whether anything breaks or grows. */
public final class SoakCommand implements Command {
    public static final Option MINUTES =
            Option.of("minutes", "M", Kind.TEXT, "how long: minutes such as 60 or 0.5, or 90s, 2h (default: 1)");
    public static final Option RATE =
            Option.of("rate", "N", Kind.NUMBER, "rounds a second at most, of all workers together (default: 25)");
    public static final Option TTL = Option.of(
            "ttl", "D", Kind.DURATION, "how long a lease lasts unless it is renewed (default: 2s, at least 1s)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("soak", "use a store for long and see whether anything breaks or grows")
                .description(
                        """
                        Three clients with eight workers in one process acquire, wait for, renew, lose, take over, abandon and release
                        leases under scratch names, write files under their protection and complete work items. Checks that
                        tokens rise, that no stale write or completion is accepted, that no acknowledged write is lost, and that a
                        holder notices its loss in time; compares memory after a collection, threads and open files at the start, the
                        middle and the end. Without --store or $LEASEHOLD_STORE it uses a scratch directory. Removes what it
                        made. Ctrl-C ends it early, with the summary. Exit 1 if a check failed or something grew.""")
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
