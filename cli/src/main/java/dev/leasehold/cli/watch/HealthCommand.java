package dev.leasehold.cli.watch;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.events.Alert;
import dev.leasehold.events.Conditions;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code leasehold health}: fails if something is wrong in the store. */
public final class HealthCommand implements Command {
    static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(1);
    static final Option TOLERANCE = Option.of(
            "overdue-after", "D", Kind.DURATION, "how late a slot may be before it counts as overdue (default: 1m)");
    private static final Option JOB =
            Option.of("job", "NAME", Kind.LEASE_NAME, "look at this job or lease only (default: all)");
    private static final Option REFUSED = Option.of(
            "refused-within", "D", Kind.DURATION, "report refusals that are not older than this (default: 1h)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("health", "exit with 1 if a slot is overdue, a holder is stuck or a token was refused")
                .description(
                        """
                        Prints one line for each slot that is overdue, each holder that renews its lease without making
                        progress, and each refusal of a stale token in the last hour, and exits with 1 if there is one. If
                        the store does not answer, it exits with 69. A skip is not a failure and is not reported. Made for
                        a monitor that runs it every minute; 'leasehold watch' runs a command instead.""")
                .option(JOB)
                .option(TOLERANCE)
                .option(REFUSED)
                .example("leasehold health --job nightly --overdue-after 10m");
    }

    @Override
    public int run(Invocation invocation) {
        LeaseName only = invocation.arguments().leaseName(JOB);
        Duration within = invocation.arguments().duration(REFUSED, Duration.ofHours(1));
        Duration tolerance = invocation.arguments().duration(TOLERANCE, DEFAULT_TOLERANCE);
        try (LeaseStore store = invocation.openStoreToRead()) {
            Conditions conditions = new Conditions(store, tolerance);
            List<String> damage = new ArrayList<>();
            List<Alert> found = new ArrayList<>(only == null ? conditions.read(damage::add) : conditions.read(only));
            found.addAll(only == null ? conditions.refusals(within, damage::add) : conditions.refusals(only, within));
            for (Alert alert : found) {
                invocation
                        .console()
                        .print(invocation.json() ? AlertViews.json(alert).toString() : AlertViews.line(alert));
            }
            damage.forEach(what -> invocation.console().error("not everything can be looked at: " + what));
            if (found.isEmpty() && damage.isEmpty() && only != null && !conditions.knows(only)) {
                invocation.console().error("this store knows no job and no lease " + only + ", so nothing is well");
                return ExitCode.FAILED;
            }
            if (found.isEmpty() && damage.isEmpty()) {
                invocation.console().say(only == null ? "all is well" : only + " is well");
            }
            return !found.isEmpty() ? ExitCode.FAILED : damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
        }
    }
}
