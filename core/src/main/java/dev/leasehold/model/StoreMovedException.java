package dev.leasehold.model;

/** The store was moved to another place, and this one does nothing any more. Nothing was changed. */
public final class StoreMovedException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    private final String to;

    /** @param to the URL of the other place, without its password */
    public StoreMovedException(String to, String message) {
        super(message);
        this.to = to;
    }

    /** The URL of the other place, without its password. */
    public String to() {
        return to;
    }
}
