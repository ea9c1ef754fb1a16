package dev.leasehold.cli.command;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.WrongFenceException;
import java.util.concurrent.RejectedExecutionException;

/** What the program's exit codes mean. Scripts rely on them. */
public final class ExitCode {
    public static final int OK = 0;
    /** The remote rejected a push for a reason of its own, as {@code git push} says it. */
    public static final int REJECTED = 1;
    /** A scheduled slot failed, or an effect could not be delivered. */
    public static final int FAILED = 1;
    /** The lease is busy: {@code acquire} did not get it. */
    public static final int BUSY = 11;
    /** The store does not call the token current. */
    public static final int NOT_CURRENT = 12;
    /** The target refused a stale token; nothing was written. */
    public static final int STALE = 13;
    /** The command line cannot be meant like this. */
    public static final int USAGE = 64;
    /** The store or the target cannot be reached, is locked too long, or answers wrongly. Nothing is assumed. */
    public static final int UNAVAILABLE = 69;
    /** A mistake in this program. */
    public static final int INTERNAL = 70;
    /** The lease was lost while the command ran; the command was stopped. */
    public static final int LOST = 75;
    /** The time allowed for the command passed; it was stopped. */
    public static final int TIMEOUT = 124;
    /** The command cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command was not found. */
    public static final int NOT_FOUND = 127;
    /** Added to the number of the signal that ended the command. */
    public static final int SIGNAL_BASE = 128;

    private ExitCode() {}

    /** What the program ends with after this failure. */
    public static int of(Throwable failure) {
        if (failure instanceof WrongFenceException wrong && wrong.otherStore()) {
            return UNAVAILABLE;
        }
        if (failure instanceof UsageException || failure instanceof IllegalArgumentException) {
            return USAGE;
        }
        // The last one: no thread can be started, which is the machine's state and no mistake of this program.
        boolean unavailable = failure instanceof StoreUnavailableException
                || failure instanceof StoreCorruptException
                || failure instanceof TargetUnavailableException
                || failure instanceof RejectedExecutionException;
        return unavailable ? UNAVAILABLE : INTERNAL;
    }
}
