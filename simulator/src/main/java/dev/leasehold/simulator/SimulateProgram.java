package dev.leasehold.simulator;

import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.Program;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.ProgressBar;
import dev.leasehold.cli.store.SimulateCommand;
import java.util.Locale;
import java.util.Map;

/** Runs {@link SimulateCommand}. */
public final class SimulateProgram implements Program {
    private static final long DEFAULT_SEEDS = 20_000;
    private static final long MAX_SEEDS = 1_000_000_000L;
    private static final int VIOLATED = 1;

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        long seeds = invocation.arguments().number(SimulateCommand.SEEDS, 1, MAX_SEEDS, DEFAULT_SEEDS);
        long from = invocation.arguments().number(SimulateCommand.FROM, 0, Long.MAX_VALUE - MAX_SEEDS, 1);
        if (seeds == 1) {
            return replay(invocation, from);
        }
        Simulations simulations = new Simulations(from, seeds);
        Simulations.Summary summary;
        try (Interruption interruption = new Interruption(simulations::stop);
                ProgressBar progress = new ProgressBar(invocation.console(), "histories", seeds)) {
            summary = simulations.run(Runtime.getRuntime().availableProcessors(), progress);
            if (interruption.isRequested()) {
                invocation.console().say("interrupted; the summary is about the histories until then");
            }
        }
        if (invocation.json()) {
            invocation.console().print(json(summary).toString());
        } else {
            print(invocation, summary);
        }
        return summary.violations() == 0 ? ExitCode.OK : VIOLATED;
    }

    private static int replay(Invocation invocation, long seed) {
        SimulationResult outcome = Simulations.replay(seed);
        Violation violation = outcome.violation();
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json()
                            .put("seed", outcome.seed())
                            .put("steps", outcome.steps())
                            .put("refusals", outcome.refusals())
                            .put("violation", violation)
                            .put(
                                    "history",
                                    outcome.history().stripTrailing().lines().toList())
                            .toString());
        } else {
            invocation.console().print(outcome.history().stripTrailing());
            invocation.console().print(violation == null ? "no violation" : violation.toString());
        }
        return violation == null ? ExitCode.OK : VIOLATED;
    }

    private static void print(Invocation invocation, Simulations.Summary summary) {
        invocation
                .console()
                .print(summary.histories() + " histories, " + summary.steps() + " steps, " + summary.refusals()
                        + " stale writes refused, " + summary.violations() + " violations");
        for (Map.Entry<SimulatedFault, Long> fault : summary.faults().entrySet()) {
            invocation
                    .console()
                    .print(String.format(
                            Locale.ROOT,
                            "%12d  %s",
                            fault.getValue(),
                            fault.getKey().meaning()));
        }
        SimulationResult first = summary.first();
        if (first != null) {
            invocation.console().print(first.history().stripTrailing());
            invocation.console().print(String.valueOf(first.violation()));
            invocation
                    .console()
                    .print("seed " + first.seed() + ", shrunk; the full history:  leasehold simulate --seeds 1 --from "
                            + first.seed());
        }
    }

    private static Json json(Simulations.Summary summary) {
        Json faults = new Json();
        summary.faults().forEach((fault, times) -> faults.put(fault.name().toLowerCase(Locale.ROOT), times));
        SimulationResult first = summary.first();
        return new Json()
                .put("histories", summary.histories())
                .put("steps", summary.steps())
                .put("refusals", summary.refusals())
                .put("violations", summary.violations())
                .put("faults", faults)
                .put("firstSeed", first == null ? null : first.seed())
                .put("firstViolation", first == null ? null : String.valueOf(first.violation()));
    }
}
