package dev.leasehold.spi;

import dev.leasehold.model.StoreId;

/**
 * A store that moves to another place. Its clients get {@link
 * dev.leasehold.model.StoreMovedException} for every step from now on, and nothing in it changes
 * any more.
 */
public interface OutgoingStore extends AutoCloseable {
    StoreId id();

    /** Its content, only for reading. */
    LeaseStore content();

    /**
     * Records that everything was copied. Until then the move can be repeated to any place, and
     * afterwards only to the same one.
     */
    void allCopied();

    @Override
    void close();
}
