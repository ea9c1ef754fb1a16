package dev.leasehold.simulation;

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

/** A check that never fails proves nothing: each guard is taken out on purpose, and the simulator has to notice. */
class MutationsTest {
    private static final int MAX_SEEDS = 50_000;

    @Test
    void everyGuardIsInTheTable() throws IOException {
        String table = Files.readString(Path.of("../docs/simulation.md"));
        for (Mutation mutation : Mutations.ALL) {
            assertThat(table).contains("| " + mutation.guard() + " |");
        }
    }

    /** Two at a time: it is pure computation. */
    @Test
    void everyMissingGuardIsNoticed() throws Exception {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<String>> found = new ArrayList<>();
            for (Mutation mutation : Mutations.ALL) {
                found.add(threads.submit(() -> firstViolation(mutation)));
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
    private static String firstViolation(Mutation mutation) throws Exception {
        try (MutatedProgram program = MutatedProgram.of(mutation)) {
            Class<?> type = program.loadClass("dev.leasehold.testkit.sim.Simulation");
            Method run = type.getMethod("run", long.class);
            try (AutoCloseable simulation =
                    (AutoCloseable) type.getConstructor().newInstance()) {
                for (long seed = 1; seed <= MAX_SEEDS; seed++) {
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
