package dev.leasehold.cli.command;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.WrongFenceException;
import java.util.concurrent.RejectedExecutionException;

/** The exit codes of the program, on which scripts rely. */
public final class ExitCode {
    public static final int OK = 0;
    /**
     * The remote rejected a push for another reason than the fence; {@code git push} exits with 1
     * too.
     */
    public static final int REJECTED = 1;
    /** A scheduled slot failed, or an effect could not be delivered. */
    public static final int FAILED = 1;
    /** The lease is busy, so {@code acquire} failed. */
    public static final int BUSY = 11;
    /** The token is not current in the store. */
    public static final int NOT_CURRENT = 12;
    /** The target refused a stale token; nothing was written. */
    public static final int STALE = 13;
    /** Whether an operation took effect is unknown; nothing was run. */
    public static final int UNKNOWN = 14;
    /** The command line is invalid. */
    public static final int USAGE = 64;
    /**
     * The store or the target cannot be reached, is locked for too long, or gives a wrong answer; or
     * the answer of this program cannot be written to stdout.
     */
    public static final int UNAVAILABLE = 69;
    /** A bug in this program. */
    public static final int INTERNAL = 70;
    /** The lease was lost while the command ran; the command was stopped. */
    public static final int LOST = 75;
    /** The timeout of the command passed; it was stopped. */
    public static final int TIMEOUT = 124;
    /** The command cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command was not found. */
    public static final int NOT_FOUND = 127;
    /** A signal ended this program before it was done; the message says what was done until then. */
    public static final int INTERRUPTED = 130;
    /** Added to the number of the signal that ended the command. */
    public static final int SIGNAL_BASE = 128;

    private ExitCode() {}

    /** The exit code for a failure. */
    public static int of(Throwable failure) {
        if (failure instanceof WrongFenceException wrong && wrong.otherStore()) {
            return UNAVAILABLE;
        }
        if (failure instanceof UsageException || failure instanceof IllegalArgumentException) {
            return USAGE;
        }
        // RejectedExecutionException means that no thread can be started: a state of the machine,
        // not a bug.
        boolean unavailable = failure instanceof StoreUnavailableException
                || failure instanceof StoreCorruptException
                || failure instanceof TargetUnavailableException
                || failure instanceof RejectedExecutionException;
        return unavailable ? UNAVAILABLE : INTERNAL;
    }
}
