package dev.leasehold;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * Opens stores by URL. Stores that are not built in are found on the class path by their scheme.
 */
public final class Stores {
    private Stores() {}

    /**
     * Opens the store at a URL.
     *
     * @throws IllegalArgumentException if the scheme is unknown or the URL is malformed; the
     *     message contains no password
     */
    public static LeaseStore open(String url) {
        int colon = url.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(
                    "store URL has no scheme: write scheme:..., where scheme is one of " + known());
        }
        String scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
        if (scheme.equals("file")) {
            return FileLeaseStore.open(directory(url.substring(colon + 1)));
        }
        if (scheme.equals("memory")) {
            return new MemoryLeaseStore();
        }
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider.open(url);
            }
        }
        throw new IllegalArgumentException(
                "store URL has an unknown scheme: use one of " + known() + ", or add the store to the class path");
    }

    private static Path directory(String rest) {
        String path = rest.startsWith("//") ? rest.substring(2) : rest;
        if (path.isEmpty() || (rest.startsWith("//") && !path.startsWith("/"))) {
            throw new IllegalArgumentException(
                    "store URL has no directory: write file:/path/to/directory (one slash or three, no host)");
        }
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) < 0x20) {
                throw new IllegalArgumentException(
                        "store URL has a control character at position " + (i + 1) + " of its path");
            }
        }
        try {
            return Path.of(path).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("store URL has a path that is not valid on this system", e);
        }
    }

    /** The schemes of the stores that this program can open. */
    public static Set<String> schemes() {
        return known();
    }

    private static Set<String> known() {
        Set<String> schemes = new TreeSet<>(Set.of("file", "memory"));
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            schemes.addAll(provider.schemes());
        }
        return schemes;
    }
}
