package dev.leasehold.testkit.sim;

import dev.leasehold.model.FencingToken;
import java.util.List;

/** What all workers write, as it really is. */
interface Guarded {
    Target seenBy(SimulatedProcess process);

    List<String> document();

    /** The highest token it knows, as a refusal tells it. */
    FencingToken raised();
}
