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
import org.junit.jupiter.api.Test;

/**
 * A check that never fails proves nothing: each guard is removed on purpose, and the simulator must
 * notice.
 */
class MutationsTest {
    private static final int MAX_SEEDS = 50_000;

    /** The seed in the table of docs/simulation.md. */
    private static long inTable(Mutation mutation) throws IOException {
        String row = "| " + mutation.guard() + " | ";
        String table = Files.readString(Path.of("../docs/simulation.md"));
        assertThat(table).contains(row);
        int seed = table.indexOf(row) + row.length();
        return Long.parseLong(table.substring(seed, table.indexOf(' ', seed)));
    }

    /** One per core: it is pure computation. */
    @Test
    void everyMissingGuardIsNoticed() throws Exception {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<String>> found = new ArrayList<>();
            for (Mutation mutation : Mutations.ALL) {
                long likely = inTable(mutation);
                found.add(threads.submit(() -> firstViolation(mutation, likely)));
            }
            for (int n = 0; n < found.size(); n++) {
                Mutation mutation = Mutations.ALL.get(n);
                assertThat(found.get(n).get()).as(mutation.guard()).isNotEmpty();
                // The rows of the table in docs/simulation.md.
                System.out.println("| " + mutation + " | " + found.get(n).get() + " |");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Empty if nothing was noticed. */
    private static String firstViolation(Mutation mutation, long likely) throws Exception {
        try (MutatedProgram program = MutatedProgram.of(mutation)) {
            Class<?> type = program.loadClass("dev.leasehold.simulator.Simulation");
            Method run = type.getMethod("run", long.class);
            try (AutoCloseable simulation =
                    (AutoCloseable) type.getConstructor().newInstance()) {
                // Starts with the seed of the table, which usually still shows it.
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
