package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * A guard taken out of the source.
 *
 * @param guard what is missing then, in words
 * @param edits one, or several where one guard stands behind another
 */
record Mutation(String guard, List<Edit> edits) {
    /**
     * A change of one file.
     *
     * @param type the simple name of the class to change
     * @param before stands there exactly once
     */
    record Edit(String type, String before, String after) {}

    Mutation(String guard, String type, String before, String after) {
        this(guard, List.of(new Edit(type, before, after)));
    }

    /** Without another guard too, which would hide that this one is missing. */
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
