package dev.leasehold.model;

/**
 * A record is damaged. Nothing was changed, and a person has to look at the store before work can
 * continue.
 */
public final class StoreCorruptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreCorruptException(String message) {
        super(message);
    }

    public StoreCorruptException(String message, Throwable cause) {
        super(message, cause);
    }
}
