package dev.leasehold.model;

/**
 * The store did not answer, so whether the step happened is unknown. Repeating it with the same attempt id is safe: it
 * returns the grant of the first try, if there was one.
 */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
