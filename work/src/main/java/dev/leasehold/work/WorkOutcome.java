package dev.leasehold.work;

/** What became of work that was run for a key. */
public sealed interface WorkOutcome {
    /** It was run, and completed by this run. */
    record Completed(WorkItem item) implements WorkOutcome {}

    /** The key was done before, and was not run again. */
    record AlreadyDone(WorkItem item) implements WorkOutcome {}

    /** It was not run: another run is at it, or the lease is not current. */
    record NotRun(Claim.Refused why) implements WorkOutcome {}

    /** It was run, but may not be completed: the lease was lost, or the key was claimed by somebody else. */
    record NotCompleted(String why) implements WorkOutcome {}
}
