package dev.leasehold.model;

/** A record cannot be what a working store would hold. Nothing was changed; a person has to look before anything goes on. */
public final class StoreCorruptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreCorruptException(String message) {
        super(message);
    }

    public StoreCorruptException(String message, Throwable cause) {
        super(message, cause);
    }
}
