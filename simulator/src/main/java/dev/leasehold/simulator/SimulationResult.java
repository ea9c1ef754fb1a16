package dev.leasehold.simulator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one simulation.
 *
 * @param history the event log, as a table
 * @param steps how many events happened
 */
public record SimulationResult(
        long seed,
        @Nullable Violation violation,
        String history,
        int steps,
        int refusals,
        Map<SimulatedFault, Integer> faults) {}
