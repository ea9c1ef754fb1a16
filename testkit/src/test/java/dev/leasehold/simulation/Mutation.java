package dev.leasehold.simulation;

/**
 * A guard taken out of the source.
 *
 * @param guard what is missing then, in words
 * @param file below the sources of its module
 * @param before stands there exactly once
 */
record Mutation(String guard, String file, String before, String after) {
    static final String CORE = "../core/src/main/java/dev/leasehold/";
    static final String JOBS = "../jobs/src/main/java/dev/leasehold/jobs/";
    static final String SIMULATOR = "src/main/java/dev/leasehold/testkit/sim/";

    @Override
    public String toString() {
        return guard;
    }
}
