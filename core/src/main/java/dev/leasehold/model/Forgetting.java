package dev.leasehold.model;

/** A store's answer to a request to forget a name. */
public enum Forgetting {
    /** The record is gone, and no token that it ever had is issued again. */
    FORGOTTEN,
    /** The store has no record of the name. */
    ABSENT,
    /**
     * The record stays: the name is taken, has another token, is locked at the moment or damaged, its token is
     * too high for a floor, or the store cannot remove names.
     */
    KEPT
}
