package dev.leasehold.spi;

import dev.leasehold.model.StoreId;
import java.util.List;

/**
 * Opens the stores of some URL schemes. Found by {@link java.util.ServiceLoader}, so that only the
 * store in use is loaded.
 */
public interface StoreProvider {
    List<String> schemes();

    /**
     * Opens a store that exists.
     *
     * @param url as the user wrote it, without the parameter {@code id}; it may contain a password,
     *     so it must not appear in messages
     * @throws IllegalArgumentException if the URL is malformed or has an unknown parameter
     * @throws dev.leasehold.model.StoreMissingException if there is no store; none is created
     */
    LeaseStore open(String url);

    /** Opens a store, and creates it if there is none. */
    LeaseStore create(String url);

    /**
     * Starts to move a store away, or goes on with a move that was interrupted.
     *
     * @param to the URL of the other place, without its password
     * @throws dev.leasehold.model.StoreMissingException if there is no store
     * @throws dev.leasehold.model.StoreMovedException if it was moved to another place
     */
    default OutgoingStore moveAway(String url, String to) {
        throw new IllegalArgumentException("a store of this kind cannot be moved");
    }

    /**
     * Starts to fill a place with the content of another store, or goes on.
     *
     * @param id the id of the other store
     * @throws dev.leasehold.model.StoreUnavailableException if there is a store
     */
    default IncomingStore receive(String url, StoreId id) {
        throw new IllegalArgumentException("a store cannot be moved to a place of this kind");
    }
}
