package dev.leasehold.model;

/**
 * The store could not be reached: nothing was sent, so nothing was changed. A store throws it only if
 * it is certain of that. Otherwise the outcome is unknown, which is a {@link StoreUnavailableException}.
 */
public final class StoreUnreachableException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public StoreUnreachableException(String message) {
        super(message);
    }

    public StoreUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
