package dev.leasehold.model;

/** The store was moved to another place, or is on its way, and this one does nothing any more. Nothing was changed. */
public final class StoreMovedException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    private final StoreId id;
    private final Stage stage;
    private final String to;

    /** How far a move has come. */
    public enum Stage {
        /** The content is being copied, and no other place can be used yet. */
        MOVING,
        /** Everything is copied. Whether the other place can be used is not known here. */
        COPIED,
        /** The other place is the store. */
        MOVED
    }

    /** @param to the URL of the other place, without its password */
    public StoreMovedException(StoreId id, Stage stage, String to, String message) {
        super(message);
        this.id = id;
        this.stage = stage;
        this.to = to;
    }

    public StoreId id() {
        return id;
    }

    public Stage stage() {
        return stage;
    }

    /** The URL of the other place, without its password. */
    public String to() {
        return to;
    }
}
