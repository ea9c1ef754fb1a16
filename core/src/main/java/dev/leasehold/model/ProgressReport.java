package dev.leasehold.model;

/** A store's answer to a report of progress. */
public sealed interface ProgressReport {
    record Noted() implements ProgressReport {}

    /** The grant is no longer current; nothing was changed. */
    record NotCurrent(Loss loss) implements ProgressReport {}
}
