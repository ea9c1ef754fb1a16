package dev.leasehold.cli.args;

/** The kind of value of an option or positional; completion depends on it. */
public enum Kind {
    FLAG,
    DURATION,
    TOKEN,
    NUMBER,
    LEASE_NAME,
    /** The name of a scheduled job. */
    JOB_NAME,
    /** The key of a work item. */
    WORK_KEY,
    FILE,
    /** A lease name, or {@code NAME=FILE}. */
    LEASE_AND_FILE,
    URL,
    TEXT,
    /** One of the words that the placeholder lists as {@code a|b}. */
    CHOICE,
    /** The name of a command of this program. */
    COMMAND
}
