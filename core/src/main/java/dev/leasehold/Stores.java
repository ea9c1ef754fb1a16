package dev.leasehold;

import dev.leasehold.internal.JdbcUrlHint;
import dev.leasehold.internal.Nearest;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores by URL. Stores that are not built in are found on the class path by their scheme.
 *
 * <p>A URL with the parameter {@code id}, as in {@code file:/shared/leases?id=4f2a}, names one
 * certain store: another store at the same place is refused.
 */
public final class Stores {
    private static final String ID = "id=";

    private Stores() {}

    /**
     * Opens the store at a URL. None is created, because one that is created by mistake, on a disk
     * that is not mounted for example, grants leases that are held in the real store.
     *
     * @throws IllegalArgumentException if the scheme is unknown or the URL is malformed; the
     *     message contains no password
     * @throws dev.leasehold.model.StoreMissingException if there is no store
     */
    public static LeaseStore open(String url) {
        return pinned(url, false);
    }

    /** Opens the store at a URL, and creates it if there is none. */
    public static LeaseStore create(String url) {
        return pinned(url, true);
    }

    /**
     * Starts to move a store to another place, or goes on with a move that was interrupted. From now
     * on every client of the store is told that it was moved.
     *
     * @param to the URL of the other place, without its password
     */
    public static OutgoingStore moveAway(String url, String to) {
        Path directory = fileStore(url);
        return directory == null ? provider(url).moveAway(withoutId(url), to) : FileLeaseStore.moveAway(directory, to);
    }

    /** Starts to fill a place with the content of the store that has this id, or goes on. */
    public static IncomingStore receive(String url, StoreId id) {
        Path directory = fileStore(url);
        return directory == null ? provider(url).receive(withoutId(url), id) : FileLeaseStore.receive(directory, id);
    }

    private static @Nullable Path fileStore(String url) {
        return scheme(url).equals("file") ? directory(withoutId(url).substring("file:".length())) : null;
    }

    private static LeaseStore pinned(String url, boolean create) {
        String place = withoutId(url);
        StoreId wanted = id(url);
        // A URL with an id names a store that exists: creating another one would not help.
        LeaseStore store = open(place, create && wanted == null);
        if (wanted != null && !wanted.equals(store.id())) {
            StoreId found = store.id();
            store.close();
            throw new StoreUnavailableException(
                    "the URL names store " + wanted + ", but at that place is store " + found
                            + ": another database, or one that was flushed or created again. Nothing was changed. Correct the place,"
                            + " or remove '?id=...' from the URL if you mean this store");
        }
        return store;
    }

    private static LeaseStore open(String url, boolean create) {
        String scheme = scheme(url);
        if (scheme.equals("file")) {
            Path directory = directory(url.substring(scheme.length() + 1));
            return create ? FileLeaseStore.create(directory) : FileLeaseStore.open(directory);
        }
        if (scheme.equals("memory")) {
            return new MemoryLeaseStore();
        }
        StoreProvider provider = provider(url);
        return create ? provider.create(url) : provider.open(url);
    }

    private static String scheme(String url) {
        if (url.startsWith("/") || url.startsWith(".") || url.startsWith("~")) {
            throw new IllegalArgumentException(
                    "store URL has no scheme: write file: before the path of a directory, as in file:/path/to/directory");
        }
        int colon = url.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(
                    "store URL has no scheme: write scheme:..., where scheme is one of " + known());
        }
        return url.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    private static StoreProvider provider(String url) {
        String scheme = scheme(url);
        if (scheme.equals("memory")) {
            throw new IllegalArgumentException("a store in memory cannot be moved");
        }
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
        }
        if (JdbcUrlHint.isJdbc(url)) {
            throw new IllegalArgumentException(JdbcUrlHint.message(url));
        }
        String nearest = Nearest.suggestion(scheme, List.copyOf(known()), "");
        throw new IllegalArgumentException("store URL has an unknown scheme" + nearest
                + (nearest.isEmpty() ? ": use one of " : " Use one of ") + String.join(", ", known())
                + ", or add the store to the class path (of the"
                + " program: LEASEHOLD_CLASSPATH)");
    }

    /** The URL that names the same store and no other. */
    public static String withId(String url, StoreId id) {
        String place = withoutId(url);
        return place + (place.indexOf('?') < 0 ? "?" : "&") + ID + id;
    }

    private static @Nullable StoreId id(String url) {
        int question = url.indexOf('?');
        for (String parameter :
                question < 0 ? new String[0] : url.substring(question + 1).split("&", -1)) {
            if (parameter.startsWith(ID)) {
                return StoreId.of(parameter.substring(ID.length()));
            }
        }
        return null;
    }

    private static String withoutId(String url) {
        int question = url.indexOf('?');
        if (question < 0) {
            return url;
        }
        StringBuilder rest = new StringBuilder(url.substring(0, question));
        char separator = '?';
        for (String parameter : url.substring(question + 1).split("&", -1)) {
            if (!parameter.startsWith(ID)) {
                rest.append(separator).append(parameter);
                separator = '&';
            }
        }
        return rest.toString();
    }

    private static Path directory(String rest) {
        String path = rest.startsWith("//") ? rest.substring(2) : rest;
        if (path.isEmpty() || (rest.startsWith("//") && !path.startsWith("/"))) {
            throw new IllegalArgumentException(
                    "store URL has no directory: write file:/path/to/directory (one slash or three, no host)");
        }
        if (path.startsWith("~")) {
            throw new IllegalArgumentException("store URL starts with '~', which only a shell replaces, and not after"
                    + " 'file:': write the whole path, or file:$HOME/...");
        }
        if (path.indexOf('?') >= 0) {
            throw new IllegalArgumentException(
                    "store URL has an unknown parameter: file:/path/to/directory takes only ?id=...");
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
