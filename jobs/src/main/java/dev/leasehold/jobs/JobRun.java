package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.work.OngoingWork;
import java.util.Optional;

/** One slot in the hands of the run that does its work. */
public final class JobRun {
    private final Slot slot;
    private final int attempt;
    private final OngoingWork work;

    JobRun(Slot slot, int attempt, OngoingWork work) {
        this.slot = slot;
        this.attempt = attempt;
        this.work = work;
    }

    public Slot slot() {
        return slot;
    }

    /** Show its grant to fences. */
    public Lease lease() {
        return work.lease();
    }

    /** The slot's work item, for effects that have to follow from its completion. */
    public OngoingWork work() {
        return work;
    }

    /** Which try of this slot it is, from 1. */
    public int attempt() {
        return attempt;
    }

    /** Where the try before this one got to, if it said so. */
    public Optional<Checkpoint> checkpoint() {
        return work.checkpoint();
    }

    /** Records where the work got to, for the next try if this one ends early. */
    public void checkpoint(String text) {
        work.checkpoint(text);
    }
}
