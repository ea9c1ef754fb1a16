package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * A guard removed from the source.
 *
 * @param guard describes the guard that is removed
 * @param edits one, or several where a second guard covers for the first
 */
record Mutation(String guard, List<Edit> edits) {
    /**
     * A change of one class.
     *
     * @param type the simple name of the class
     * @param before occurs exactly once in its source
     */
    record Edit(String type, String before, String after) {}

    Mutation(String guard, String type, String before, String after) {
        this(guard, List.of(new Edit(type, before, after)));
    }

    /** Also removes another guard, which would hide that this one is missing. */
    Mutation and(String type, String before, String after) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(new Edit(type, before, after));
        return new Mutation(guard, List.copyOf(more));
    }

    @Override
    public String toString() {
        return guard;
    }
}
