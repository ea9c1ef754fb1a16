package dev.leasehold.guard;

/** The target is guarded by another lease name, or by a lease of another store: their tokens cannot be compared. */
public final class WrongFenceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public WrongFenceException(String message) {
        super(message);
    }
}
