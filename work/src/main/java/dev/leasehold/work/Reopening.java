package dev.leasehold.work;

/** The result of reopening a key. */
public sealed interface Reopening {
    /**
     * The item is open. If it was done, it starts from the beginning; otherwise it continues from
     * its checkpoint.
     */
    record Opened(WorkItem item) implements Reopening {}

    /** Nothing was changed. */
    record Refused(String explanation) implements Reopening {}
}
