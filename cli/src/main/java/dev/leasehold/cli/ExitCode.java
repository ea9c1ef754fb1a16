package dev.leasehold.cli;

/** What the program's exit codes mean. Scripts rely on them. */
final class ExitCode {
    static final int OK = 0;
    /** The remote rejected a push for a reason of its own, as {@code git push} says it. */
    static final int REJECTED = 1;
    /** A scheduled slot failed, or an effect could not be delivered. */
    static final int FAILED = 1;
    /** The lease is busy: {@code acquire} did not get it. */
    static final int BUSY = 11;
    /** The store does not call the token current. */
    static final int NOT_CURRENT = 12;
    /** The target refused a stale token; nothing was written. */
    static final int STALE = 13;
    /** The command line cannot be meant like this. */
    static final int USAGE = 64;
    /** The store or the target cannot be reached, is locked too long, or answers wrongly. Nothing is assumed. */
    static final int UNAVAILABLE = 69;
    /** A mistake in this program. */
    static final int INTERNAL = 70;
    /** The lease was lost while the command ran; the command was stopped. */
    static final int LOST = 75;
    /** The time allowed for the command passed; it was stopped. */
    static final int TIMEOUT = 124;
    /** The command cannot be executed. */
    static final int NOT_EXECUTABLE = 126;
    /** The command was not found. */
    static final int NOT_FOUND = 127;
    /** Added to the number of the signal that ended the command. */
    static final int SIGNAL_BASE = 128;

    private ExitCode() {}
}
