package dev.leasehold.model;

/**
 * The target is guarded by another lease or by a lease of another store, whose tokens cannot
 * be compared.
 */
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
     * Whether the lease name is right and only the store differs from the fence's. Then the caller
     * named the right lease, and the store was lost, created again, or confused with another one.
     */
    public boolean otherStore() {
        return otherStore;
    }
}
