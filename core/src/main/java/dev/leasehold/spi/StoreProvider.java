package dev.leasehold.spi;

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
}
