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
    static final String CORE = "../core/src/main/java/dev/leasehold/";
    static final String WORK = "../work/src/main/java/dev/leasehold/work/";
    static final String JOBS = "../jobs/src/main/java/dev/leasehold/jobs/";
    static final String SIMULATOR = "src/main/java/dev/leasehold/simulator/";

    /**
     * A change of one file.
     *
     * @param file below the sources of its module
     * @param before stands there exactly once
     */
    record Edit(String file, String before, String after) {}

    Mutation(String guard, String file, String before, String after) {
        this(guard, List.of(new Edit(file, before, after)));
    }

    /** Without another guard too, which would hide that this one is missing. */
    Mutation and(String file, String before, String after) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(new Edit(file, before, after));
        return new Mutation(guard, List.copyOf(more));
    }

    @Override
    public String toString() {
        return guard;
    }
}
