package dev.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A check that never fails proves nothing: each guard is taken out on purpose, and the simulator has to notice. */
@Execution(ExecutionMode.CONCURRENT)
class MutationsTest {
    private static final int MAX_SEEDS = 50_000;

    static List<Mutation> mutations() {
        return Mutations.ALL;
    }

    @Test
    void everyGuardIsInTheTable() throws IOException {
        String table = Files.readString(Path.of("../docs/simulation.md"));
        for (Mutation mutation : Mutations.ALL) {
            assertThat(table).contains("| " + mutation.guard() + " |");
        }
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void missingGuardIsNoticed(Mutation mutation) throws Exception {
        try (MutatedProgram program = MutatedProgram.of(mutation)) {
            Class<?> type = program.loadClass("dev.leasehold.testkit.sim.Simulation");
            Method run = type.getMethod("run", long.class);
            try (AutoCloseable simulation =
                    (AutoCloseable) type.getConstructor().newInstance()) {
                Object violation = null;
                long seed = 0;
                while (violation == null && seed < MAX_SEEDS) {
                    Object outcome = run.invoke(simulation, ++seed);
                    violation = outcome.getClass().getMethod("violation").invoke(outcome);
                }
                assertThat(violation).as("after " + seed + " seeds").isNotNull();
                System.out.println(
                        mutation + " | " + seed + " | " + violation.toString().replace("\n", " "));
            }
        }
    }
}
