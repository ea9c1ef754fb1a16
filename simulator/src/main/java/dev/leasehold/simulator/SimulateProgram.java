package dev.leasehold.simulator;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.Program;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.store.SimulateCommand;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;

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
        Simulations.Summary summary = new Simulations(from, seeds)
                .run(Runtime.getRuntime().availableProcessors(), new Progress(invocation, seeds));
        if (invocation.json()) {
            invocation.console().print(json(summary).toString());
        } else {
            print(invocation, summary);
        }
        return summary.violations() == 0 ? ExitCode.OK : VIOLATED;
    }

    private static int replay(Invocation invocation, long seed) {
        SimulationResult outcome = Simulations.replay(seed);
        invocation.console().print(outcome.history().stripTrailing());
        Violation violation = outcome.violation();
        invocation.console().print(violation == null ? "no violation" : violation.toString());
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

    /** Prints a progress line every few seconds. */
    private static final class Progress implements LongConsumer {
        private static final long EVERY_NANOS = 5_000_000_000L;

        private final Invocation invocation;
        private final long seeds;
        private final long began = System.nanoTime();
        private long lastPrinted = began;

        Progress(Invocation invocation, long seeds) {
            this.invocation = invocation;
            this.seeds = seeds;
        }

        @Override
        public synchronized void accept(long done) {
            long now = System.nanoTime();
            if (now - lastPrinted >= EVERY_NANOS) {
                lastPrinted = now;
                long perMinute = done * 60_000_000_000L / (now - began);
                invocation.console().say(done + " of " + seeds + " histories, " + perMinute + " a minute");
            }
        }
    }
}
