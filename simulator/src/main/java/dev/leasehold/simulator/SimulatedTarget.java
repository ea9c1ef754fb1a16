package dev.leasehold.simulator;

import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.List;

/** The guarded document as one process sees it: the list of everything added to it. */
interface SimulatedTarget {
    public Admission raise(Grant grant);

    List<String> read();

    Admission admit(Grant grant, List<String> content);
}
