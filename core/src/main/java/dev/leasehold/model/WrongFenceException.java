package dev.leasehold.model;

/** The target is guarded by another lease name, or by a lease of another store: their tokens cannot be compared. */
public final class WrongFenceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final boolean otherStore;

    public WrongFenceException(String message) {
        this(message, false);
    }

    private WrongFenceException(String message, boolean otherStore) {
        super(message);
        this.otherStore = otherStore;
    }

    static WrongFenceException ofStore(String message) {
        return new WrongFenceException(message, true);
    }

    /**
     * Whether the lease is the right one and only its store is another than the fence's: the caller asked for the right thing,
     * and the store was lost, made anew, or mistaken for another one.
     */
    public boolean otherStore() {
        return otherStore;
    }
}
