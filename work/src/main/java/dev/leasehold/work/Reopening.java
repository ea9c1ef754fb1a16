package dev.leasehold.work;

/** What became of an operator's wish to have a key done again. */
public sealed interface Reopening {
    /** It is open. One that was done starts from nothing; one that was not goes on from its checkpoint. */
    record Opened(WorkItem item) implements Reopening {}

    /** Nothing was changed. */
    record Refused(String explanation) implements Reopening {}
}
