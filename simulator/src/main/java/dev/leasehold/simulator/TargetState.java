package dev.leasehold.simulator;

import dev.leasehold.model.FencingToken;
import java.util.List;

/** The true state of the target that all workers write. */
interface TargetState {
    SimulatedTarget seenBy(SimulatedProcess process);

    List<String> document();

    /** The highest token the target has seen, as a refusal reports it. */
    FencingToken raised();
}
