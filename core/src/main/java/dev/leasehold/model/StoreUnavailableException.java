package dev.leasehold.model;

/**
 * The store did not answer, so it is unknown whether the step happened. Repeating it with the same
 * attempt id is safe: if the first try was granted, the repetition returns that grant.
 */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
