package dev.leasehold.spi;

import dev.leasehold.model.StoreId;

/**
 * A store that moves to another place. Its clients get {@link
 * dev.leasehold.model.StoreMovedException} for every step from now on, and nothing in it changes
 * any more. Only one process at a time moves a store: another one is refused, or ends the right of
 * this one to go on.
 */
public interface OutgoingStore extends AutoCloseable {
    StoreId id();

    /** Its content, only for reading. */
    LeaseStore content();

    /**
     * Records that everything was copied. Until then the move can be repeated to any place, and
     * afterwards only to the same one.
     *
     * @throws dev.leasehold.model.StoreUnavailableException if another process moves the store now;
     *     then this one must not complete the move
     */
    void allCopied();

    /** Records that the other place is the store. */
    void finish();

    @Override
    void close();
}
