package dev.leasehold.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Removes each guard from the source, one at a time, and requires that the simulator reports a
 * violation. This shows that its checks can fail.
 */
class MutationsTest {
    private static final int MAX_SEEDS = 50_000;
    private static final List<Mutation> ALL = Stream.of(
                    Mutations.ALL, ForgettingMutations.ALL, ObservedTimeMutations.ALL)
            .flatMap(List::stream)
            .toList();

    /** The seed in the table of docs/simulation.md. */
    private static long seedInTable(Mutation mutation) throws IOException {
        String row = "| " + mutation.guard() + " | ";
        String table = Files.readString(Path.of("../docs/simulation.md"));
        assertThat(table).contains(row);
        int seed = table.indexOf(row) + row.length();
        return Long.parseLong(table.substring(seed, table.indexOf(' ', seed)));
    }

    /** Runs one mutation per core at a time. */
    @Test
    void everyRemovedGuardIsNoticed() throws Exception {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<String>> found = new ArrayList<>();
            for (Mutation mutation : ALL) {
                long likely = seedInTable(mutation);
                found.add(threads.submit(() -> firstViolation(mutation, likely)));
            }
            for (int n = 0; n < found.size(); n++) {
                Mutation mutation = ALL.get(n);
                assertThat(found.get(n).get()).as(mutation.guard()).isNotEmpty();
                // The rows of the table in docs/simulation.md.
                System.out.println("| " + mutation + " | " + found.get(n).get() + " |");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns the seed and the violated invariant; empty if no seed shows a violation. */
    private static String firstViolation(Mutation mutation, long likely) throws Exception {
        try (MutatedProgram program = MutatedProgram.of(mutation)) {
            Class<?> type = program.loadClass("dev.leasehold.simulator.Simulation");
            Method run = type.getMethod("run", long.class);
            try (AutoCloseable simulation =
                    (AutoCloseable) type.getConstructor().newInstance()) {
                // Starts with the seed of the table, which usually still shows the violation.
                for (long n = 0; n <= MAX_SEEDS; n++) {
                    long seed = n == 0 ? likely : n;
                    Object outcome = run.invoke(simulation, seed);
                    Object violation = outcome.getClass().getMethod("violation").invoke(outcome);
                    if (violation != null) {
                        return seed + " | "
                                + violation.toString().lines().findFirst().orElse("");
                    }
                }
                return "";
            }
        }
    }
}
