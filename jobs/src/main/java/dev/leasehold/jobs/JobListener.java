package dev.leasehold.jobs;

import dev.leasehold.model.Grant;

/**
 * Receives what this machine does with slots, for logs and metrics. Methods are called from several
 * threads and must be quick. What they throw is logged and changes nothing.
 */
public interface JobListener {
    JobListener NONE = new JobListener() {};

    /** This machine starts to run a slot. */
    default void started(Slot slot, Grant grant, int attempt) {}

    /** This machine recorded the outcome of a slot, or of several that were dropped together. */
    default void ended(Job job, Outcome outcome) {}

    /**
     * An attempt on this machine ended without an outcome. The slot is tried again, on this machine
     * or another.
     */
    default void again(Slot slot, EndedAttempt ended) {}

    /**
     * An attempt on this machine ended after another run had replaced it. The other run
     * decides the outcome.
     */
    default void replaced(Slot slot) {}

    /** This machine could not take care of a job. It keeps trying. */
    default void trouble(Job job, String what) {}

    /** The store did not answer what was asked for a job. This machine keeps trying. */
    default void unavailable(Job job, String what) {
        trouble(job, what);
    }

    /** The store did not answer a question that concerns all jobs. This machine keeps trying. */
    default void unavailable(String what) {}

    /** The store answered. Called every few seconds and after each pass over a job. */
    default void answered() {}
}
