package dev.leasehold.fence;

/**
 * The target cannot be written for a reason that has nothing to do with tokens. The message says
 * whether anything changed.
 */
public final class TargetUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TargetUnavailableException(String message) {
        super(message);
    }

    public TargetUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
