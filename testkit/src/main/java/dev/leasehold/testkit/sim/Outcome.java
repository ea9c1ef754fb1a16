package dev.leasehold.testkit.sim;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of one history.
 *
 * @param history who did what when, as a table
 * @param steps how many things happened in it
 */
public record Outcome(
        long seed,
        @Nullable Violation violation,
        String history,
        int steps,
        int refusals,
        Map<Fault, Integer> faults) {}
