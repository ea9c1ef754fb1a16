package dev.leasehold.guard;

/** The target cannot be written, for a reason that has nothing to do with tokens. The message says whether anything changed. */
public final class TargetUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TargetUnavailableException(String message) {
        super(message);
    }

    TargetUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
