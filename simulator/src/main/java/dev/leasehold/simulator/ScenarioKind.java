package dev.leasehold.simulator;

/** What a simulation is about. */
enum ScenarioKind {
    /** A document on a server that checks and writes in one step, such as a row in a database. */
    DOCUMENT,
    /** A fenced file on the disk of the one machine that all workers run on. */
    FILE,
    /** A scheduled job on several machines. */
    SLOTS,
    /** Processes with several callers that share calls to the store. */
    CROWD,
    /** The same as {@link #DOCUMENT} with a store that has no clock: clients judge by what they have observed. */
    CLOCKLESS
}
