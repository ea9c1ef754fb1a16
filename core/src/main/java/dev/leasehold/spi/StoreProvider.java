package dev.leasehold.spi;

import java.util.List;

/** Found by {@link java.util.ServiceLoader}: opens the stores of some URL schemes, so that only what a URL names is loaded. */
public interface StoreProvider {
    List<String> schemes();

    /**
     * @param url as the user wrote it; it may hold a password, so it never goes into a message
     * @throws IllegalArgumentException if the URL is malformed
     */
    LeaseStore open(String url);
}
