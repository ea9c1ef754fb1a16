package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs many simulations on several threads. The result of a seed does not depend on the thread that
 * ran it.
 */
public final class Simulations {
    private static final int CHUNK = 16;

    private final long from;
    private final long count;
    private final AtomicLong next;
    private final AtomicLong done = new AtomicLong();
    private volatile boolean stopped;

    public Simulations(long from, long count) {
        this.from = from;
        this.count = count;
        this.next = new AtomicLong(from);
    }

    /**
     * The outcome of all simulations.
     *
     * @param first the violation of the lowest seed that showed one, with its history shrunk; null
     *     if there was none
     */
    public record Summary(
            long histories,
            long steps,
            long refusals,
            long violations,
            Map<SimulatedFault, Long> faults,
            @Nullable SimulationResult first) {}

    /** Ends the simulations after those that are under way. The summary has those that were made. */
    public void stop() {
        stopped = true;
    }

    /** @param progress receives the number of finished simulations from time to time */
    public Summary run(int threads, LongConsumer progress) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Tally>> parts = new ArrayList<>();
            for (int n = 0; n < threads; n++) {
                parts.add(pool.submit(() -> work(progress)));
            }
            Tally all = new Tally();
            for (Future<Tally> part : parts) {
                all.add(part.get());
            }
            return all.summary();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a simulation failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** Runs one seed with its full history. */
    public static SimulationResult replay(long seed) {
        try (Simulation simulation = new Simulation()) {
            return simulation.run(Scenario.of(seed), true);
        }
    }

    private Tally work(LongConsumer progress) {
        Tally tally = new Tally();
        try (Simulation simulation = new Simulation()) {
            long seed = next.getAndAdd(CHUNK);
            while (seed < from + count && !stopped && !Thread.currentThread().isInterrupted()) {
                long end = Math.min(seed + CHUNK, from + count);
                for (long s = seed; s < end; s++) {
                    tally.add(simulation.run(s));
                }
                progress.accept(done.addAndGet(end - seed));
                seed = next.getAndAdd(CHUNK);
            }
            tally.shrinkFirst(simulation);
        }
        return tally;
    }

    private static final class Tally {
        private long histories;
        private long steps;
        private long refusals;
        private long violations;
        private final Map<SimulatedFault, Long> faults = new EnumMap<>(SimulatedFault.class);
        private @Nullable SimulationResult first;

        void add(SimulationResult outcome) {
            histories++;
            steps += outcome.steps();
            refusals += outcome.refusals();
            outcome.faults().forEach((fault, times) -> faults.merge(fault, (long) times, Long::sum));
            if (outcome.violation() != null) {
                violations++;
                keepLowest(outcome);
            }
        }

        void add(Tally other) {
            histories += other.histories;
            steps += other.steps;
            refusals += other.refusals;
            violations += other.violations;
            other.faults.forEach((fault, times) -> faults.merge(fault, times, Long::sum));
            if (other.first != null) {
                keepLowest(other.first);
            }
        }

        private void keepLowest(SimulationResult outcome) {
            if (first == null || outcome.seed() < first.seed()) {
                first = outcome;
            }
        }

        void shrinkFirst(Simulation simulation) {
            if (first != null) {
                first = new Shrinker(simulation).shrink(Scenario.of(first.seed()), first);
            }
        }

        Summary summary() {
            return new Summary(histories, steps, refusals, violations, faults, first);
        }
    }
}
