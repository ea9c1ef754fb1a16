package dev.leasehold.internal;

import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The names in a store that can only list all of them. They are kept until the store has another version. While it changes all
 * the time, they are read again for each list, and not for each page of it. Safe for use by many threads.
 */
public final class ListedNames {
    /** Where the names are. */
    public interface Source {
        /** Changes with each name that is created or removed, and perhaps more often. */
        Object version();

        Collection<String> names();
    }

    private record Kept(Object version, SortedNames names) {}

    private final Source source;
    private final LongSupplier nanos;
    private volatile Kept kept = new Kept(new Object(), SortedNames.NONE);

    /** @param nanos a clock that counts nanoseconds */
    public ListedNames(Source source, LongSupplier nanos) {
        this.source = source;
        this.nanos = nanos;
    }

    /** As {@link dev.leasehold.spi.CasRegister#keys}. Some may be gone meanwhile. */
    public List<String> page(String prefix, String after, int limit) {
        List<String> found = current(after).page(prefix, after);
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    private SortedNames current(String after) {
        Kept last = kept;
        long now = nanos.getAsLong();
        if (last.names.continues(after, now)) {
            return last.names;
        }
        // Before the names: they may be later than it.
        Object version = source.version();
        if (!version.equals(last.version)) {
            Collection<String> names = source.names();
            last = new Kept(version, new SortedNames(names, now, nanos.getAsLong()));
            kept = last;
        }
        return last.names;
    }
}
