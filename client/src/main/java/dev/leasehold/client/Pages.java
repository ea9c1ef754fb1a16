package dev.leasehold.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a list that is longer than the server returns at once. */
final class Pages {
    /** The most that a server returns. */
    static final int LONGEST = 500;

    private Pages() {}

    /**
     * One page.
     *
     * @param next where the next one starts; null on the last one
     */
    record Page<T>(List<T> elements, @Nullable String next) {}

    /** Asks for one page. */
    interface Source<T> {
        Page<T> read(String after, int limit);
    }

    static <T> List<T> read(String after, int limit, Source<T> source) {
        List<T> all = new ArrayList<>();
        String start = after;
        while (start != null && all.size() < limit) {
            Page<T> page = source.read(start, Math.min(LONGEST, limit - all.size()));
            all.addAll(page.elements());
            start = page.next();
        }
        return all;
    }
}
