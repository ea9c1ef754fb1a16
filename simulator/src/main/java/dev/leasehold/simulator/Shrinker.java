package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.List;

/** Shrinks a simulation that shows a violation while it still shows the same one. */
final class Shrinker {
    private static final int MAX_RUNS = 300;

    private final Simulation simulation;
    private int runs;

    Shrinker(Simulation simulation) {
        this.simulation = simulation;
    }

    SimulationResult shrink(Scenario scenario, SimulationResult violated) {
        SimulationResult smallest = violated;
        Scenario current = scenario;
        boolean smaller = true;
        while (smaller && runs < MAX_RUNS) {
            smaller = false;
            for (Scenario candidate : candidates(current)) {
                runs++;
                SimulationResult outcome = simulation.run(candidate, false);
                if (showsSameViolation(violated, outcome) && outcome.steps() < smallest.steps()) {
                    smallest = outcome;
                    current = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static boolean showsSameViolation(SimulationResult one, SimulationResult other) {
        return one.violation() != null
                && other.violation() != null
                && one.violation().invariant() == other.violation().invariant();
    }

    private static List<Scenario> candidates(Scenario scenario) {
        List<Scenario> candidates = new ArrayList<>();
        if (scenario.workers() > 1) {
            candidates.add(scenario.withWorkers(scenario.workers() - 1));
        }
        for (SimulatedFault fault : scenario.faults()) {
            candidates.add(scenario.without(fault));
        }
        candidates.add(scenario.calmAt(scenario.calm() / 2));
        candidates.add(scenario.calmAt(scenario.calm() * 9 / 10));
        return candidates;
    }
}
