package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Agents edit one file in every order that a seed draws. No acknowledged edit may be missing at the end,
 * no two agents may edit at the same moment, and all must come to an end.
 */
class InterleavingTest {
    private static final int SEEDS = Integer.getInteger("leasehold.agents.seeds", 500);
    private static final int MOST_SEEDS = 2_000;

    @Test
    void noEditIsLostInAnyInterleaving() {
        int denials = 0;
        int takeovers = 0;
        int freezes = 0;
        int subagents = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Interleaving run = new Interleaving(seed, null);
            run.run();
            assertThat(run.violations()).as("seed %d", seed).isEmpty();
            denials += run.denials();
            takeovers += run.takeovers();
            freezes += run.freezes();
            subagents += run.hasSubagents() ? 1 : 0;
        }
        assertThat(denials).isGreaterThan(SEEDS);
        assertThat(takeovers).isGreaterThan(SEEDS);
        assertThat(freezes).isGreaterThan(SEEDS);
        assertThat(subagents).isGreaterThan(SEEDS / 4);
    }

    @Test
    void withoutTheHookMostRunsLoseEdits() {
        int lost = 0;
        for (int seed = 0; seed < 200; seed++) {
            Interleaving run = new Interleaving(seed, Guard.HOOK);
            run.run();
            lost += run.violations().isEmpty() ? 0 : 1;
        }
        assertThat(lost).isGreaterThan(100);
    }

    /** Shows that the checks of this test can fail. */
    @ParameterizedTest
    @EnumSource(Guard.class)
    void everyMissingGuardIsNoticed(Guard missing) {
        for (int seed = 0; seed < MOST_SEEDS; seed++) {
            Interleaving run = new Interleaving(seed, missing);
            run.run();
            if (!run.violations().isEmpty()) {
                System.out.println("without " + missing + ", seed " + seed + ": "
                        + run.violations().get(0));
                return;
            }
        }
        throw new AssertionError("no seed shows that " + missing + " is missing");
    }
}
