package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.events.RunAdvice;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@code leasehold advise}: recommends a ttl and a heartbeat from measured runs, with the reasons.
 */
public final class AdviseCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("advise", "recommend a ttl from measured run times")
                .description(
                        """
                        Evaluates the last runs that 'leasehold run' recorded: how long they took, how late renewals
                        came, how many lost their lease. Recommends a ttl for leases that are renewed while the work
                        runs, as 'run' does, and one for leases that are held without renewal, each with its reason.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .example("leasehold advise daily-publish");
    }

    @Override
    public int run(Invocation invocation) {
        LeaseName name = invocation.arguments().leaseName(0);
        try (LeaseStore store = invocation.openStoreToRead()) {
            RunAdvice advice = RunAdvice.of(new RunLog(store.register()).of(name));
            if (invocation.json()) {
                invocation.console().print(json(name, advice).toString());
            } else {
                tell(invocation.console(), name, advice);
            }
            return ExitCode.OK;
        }
    }

    private static void tell(Console console, LeaseName name, RunAdvice advice) {
        if (advice.runs() == 0) {
            console.print("No complete run of " + name + " is recorded yet; 'leasehold run' records them.");
            return;
        }
        console.print(name + ": " + advice.runs() + (advice.runs() == 1 ? " run" : " runs") + ", median "
                + DurationText.show(advice.median()) + ", p95 " + DurationText.show(advice.p95()) + ", worst "
                + DurationText.show(advice.worst()) + "; " + advice.losses() + " lost"
                + (advice.ttl() == null ? "" : "; the ttl is " + DurationText.show(advice.ttl())));
        if (advice.runs() < RunAdvice.LEAST_RUNS) {
            console.print(
                    "Not enough data for a recommendation: at least " + RunAdvice.LEAST_RUNS + " runs are needed.");
            return;
        }
        console.print("");
        renewed(console, advice);
        unrenewed(console, advice);
    }

    private static void renewed(Console console, RunAdvice advice) {
        RunAdvice.Recommendation renewed = advice.renewed();
        if (renewed == null) {
            console.print(
                    "Renewed while it runs: no run was long enough for a renewal, so the delay of renewals is unknown."
                            + " The default of 90s is a good start.");
            return;
        }
        console.print("Renewed while it runs: --ttl " + DurationText.show(renewed.ttl()) + change(advice, renewed));
        console.print("  because " + renewed.reason() + ".");
    }

    private static void unrenewed(Console console, RunAdvice advice) {
        RunAdvice.Recommendation unrenewed = advice.unrenewed();
        if (unrenewed == null) {
            console.print("Held without renewal: no run succeeded, so there is no data.");
            return;
        }
        console.print("Held without renewal: " + DurationText.show(unrenewed.ttl()) + " to "
                + DurationText.show(unrenewed.upTo()));
        console.print("  because " + unrenewed.reason() + ".");
    }

    private static String change(RunAdvice advice, RunAdvice.Recommendation renewed) {
        Duration ttl = advice.ttl();
        if (ttl == null) {
            return "";
        }
        int order = renewed.ttl().compareTo(ttl);
        if (order == 0) {
            return ", as it is now";
        }
        return order > 0
                ? ", up from " + DurationText.show(ttl)
                        + ": room for two missed heartbeats and a stall like the worst one"
                : ", down from " + DurationText.show(ttl) + ": a crash would block the next run for "
                        + DurationText.show(ttl.minus(renewed.ttl())) + " less";
    }

    private static Json json(LeaseName name, RunAdvice advice) {
        return new Json()
                .put("name", name)
                .put("runs", advice.runs())
                .put("lost", advice.losses())
                .put("medianMs", advice.median())
                .put("p95Ms", advice.p95())
                .put("worstMs", advice.worst())
                .put("ttlMs", advice.ttl())
                .put("worstStallMs", advice.stall())
                .put("renewed", renewed(advice.renewed()))
                .put("unrenewed", unrenewed(advice.unrenewed()));
    }

    private static @Nullable Json renewed(RunAdvice.@Nullable Recommendation advice) {
        return advice == null
                ? null
                : new Json()
                        .put("ttlMs", advice.ttl())
                        .put("heartbeatMs", advice.ttl().dividedBy(3))
                        .put("reason", advice.reason());
    }

    private static @Nullable Json unrenewed(RunAdvice.@Nullable Recommendation advice) {
        return advice == null
                ? null
                : new Json()
                        .put("ttlMs", advice.ttl())
                        .put("upToMs", advice.upTo())
                        .put("reason", advice.reason());
    }
}
