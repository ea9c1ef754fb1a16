package dev.leasehold.model;

/** What became of a report of progress. */
public sealed interface ProgressReport {
    record Noted() implements ProgressReport {}

    /** The token was not current any more; nothing was changed. */
    record NotCurrent(Loss loss) implements ProgressReport {}
}
