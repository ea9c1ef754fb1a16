package dev.leasehold.spring.test;

/** Where the first of two machines freezes. */
public enum Freeze {
    /** It has the lease, and its method has not begun. */
    AFTER_ACQUIRE,
    /** It begins its first transaction. */
    BEFORE_TRANSACTION,
    /**
     * It has written everything, and commits. The rows that it changed are locked: a second machine that needs
     * them waits, as it would for a process that is really frozen.
     */
    BEFORE_COMMIT
}
