package dev.leasehold.work;

/** The outcome of running the work of a key. */
public sealed interface WorkOutcome {
    /** The work ran, and this run completed the key. */
    record Completed(WorkItem item) implements WorkOutcome {}

    /** The key was done before, and the work did not run again. */
    record AlreadyDone(WorkItem item) implements WorkOutcome {}

    /** The work did not run: another run does it, or the lease is not current. */
    record NotRun(Claim.Refused why) implements WorkOutcome {}

    /**
     * The work ran, but the key was not completed: the lease was lost, or another run has claimed
     * the key.
     */
    record NotCompleted(String why) implements WorkOutcome {}
}
