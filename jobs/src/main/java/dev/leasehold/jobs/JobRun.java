package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.work.OngoingWork;
import java.util.Optional;

/** One slot, as the work that runs for it sees it. */
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

    /** The lease that the slot runs under. Pass its grant to fences. */
    public Lease lease() {
        return work.lease();
    }

    /** The slot's work item, to declare effects that follow from its completion. */
    public OngoingWork work() {
        return work;
    }

    /** The number of this attempt, from 1. */
    public int attempt() {
        return attempt;
    }

    /** The last checkpoint of the previous attempt, if it recorded one. */
    public Optional<Checkpoint> checkpoint() {
        return work.checkpoint();
    }

    /** Records how far the work got, for the next attempt if this one ends early. */
    public void checkpoint(String text) {
        work.checkpoint(text);
    }
}
