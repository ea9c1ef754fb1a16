package dev.leasehold.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final long SEEDS = 5_000;

    @Test
    void noHistoryViolatesAnInvariant() throws InterruptedException {
        Simulations.Summary summary =
                new Simulations(1, SEEDS).run(Runtime.getRuntime().availableProcessors(), done -> {});
        SimulationResult first = summary.first();
        assertThat(first).as(() -> first + "\n" + first.history()).isNull();
        assertThat(summary.histories()).isEqualTo(SEEDS);
        assertThat(summary.refusals()).as("zombies that were refused").isGreaterThan(SEEDS / 10);
        assertThat(summary.faults().keySet()).containsExactlyInAnyOrder(SimulatedFault.values());
    }

    @Test
    void sameSeedGivesTheSameHistoryByteForByte() {
        for (long seed = 1; seed <= 50; seed++) {
            assertThat(Simulations.replay(seed)).isEqualTo(Simulations.replay(seed));
        }
        assertThat(Simulations.replay(1).history())
                .isNotEqualTo(Simulations.replay(2).history());
    }
}
