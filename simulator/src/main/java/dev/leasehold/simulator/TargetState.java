package dev.leasehold.simulator;

import dev.leasehold.model.FencingToken;
import java.util.List;

/** What all workers write, as it really is. */
interface TargetState {
    SimulatedTarget seenBy(SimulatedProcess process);

    List<String> document();

    /** The highest token it knows, as a refusal tells it. */
    FencingToken raised();
}
