package dev.leasehold.spi;

import java.util.List;

/**
 * Opens the stores of some URL schemes. Found by {@link java.util.ServiceLoader}, so that only the
 * store in use is loaded.
 */
public interface StoreProvider {
    List<String> schemes();

    /**
     * @param url as the user wrote it; it may contain a password, so it must not appear in messages
     * @throws IllegalArgumentException if the URL is malformed
     */
    LeaseStore open(String url);
}
