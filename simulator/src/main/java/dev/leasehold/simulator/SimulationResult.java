package dev.leasehold.simulator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of one history.
 *
 * @param history who did what when, as a table
 * @param steps how many things happened in it
 */
public record SimulationResult(
        long seed,
        @Nullable Violation violation,
        String history,
        int steps,
        int refusals,
        Map<SimulatedFault, Integer> faults) {}
