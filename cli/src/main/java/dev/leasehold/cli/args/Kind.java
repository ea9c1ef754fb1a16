package dev.leasehold.cli.args;

/** What the value of an option or positional is; shells complete by it. */
public enum Kind {
    FLAG,
    DURATION,
    TOKEN,
    NUMBER,
    LEASE_NAME,
    FILE,
    URL,
    TEXT,
    /** One of the words of the placeholder, which lists them as {@code a|b}. */
    CHOICE,
    /** The name of a command of this program. */
    COMMAND
}
