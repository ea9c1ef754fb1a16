package dev.leasehold.jobs;

import dev.leasehold.model.Grant;

/**
 * Told of what this machine does with slots, for logs and metrics. Methods are called from several threads and must be quick.
 * What they throw is logged and changes nothing.
 */
public interface JobListener {
    JobListener NONE = new JobListener() {};

    /** This machine runs the slot. */
    default void started(Slot slot, Grant grant, int attempt) {}

    /** This machine gave a slot, or several that were dropped together, its outcome. */
    default void ended(Job job, Outcome outcome) {}

    /** A try of this machine ended without an outcome: the slot is tried again, here or elsewhere. */
    default void again(Slot slot, String why) {}

    /** A try of this machine ended when the slot was not its own any more: another run took its place, and decides. */
    default void replaced(Slot slot) {}

    /** Something kept this machine from looking after a job; it goes on trying. */
    default void trouble(Job job, String what) {}
}
