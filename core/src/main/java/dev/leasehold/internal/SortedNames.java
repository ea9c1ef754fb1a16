package dev.leasehold.internal;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * All names in a place that has no order, as they were read at one moment. A list is read page by page; to read all names again
 * for each page would take quadratic time. So the pages after the first one may use the names that were read for it.
 */
public final class SortedNames {
    /** How long a list may go on without reading the names again. */
    public static final Duration ONE_LIST = Duration.ofSeconds(2);

    /** Where it takes longer to read the names, as for a million of them, the time for a list is this many times as long. */
    private static final int TIMES_READING = 5;

    public static final SortedNames NONE = new SortedNames(List.of(), 0, 0);

    private final String[] names;
    private final long readAt;
    private final long nanos;

    /**
     * @param begun when their reading began, in nanoseconds
     * @param readAt when they had been read
     */
    public SortedNames(Collection<String> names, long begun, long readAt) {
        this.names = names.toArray(new String[0]);
        this.readAt = readAt;
        this.nanos = Math.max(ONE_LIST.toNanos(), TIMES_READING * (readAt - begun));
        Arrays.sort(this.names);
    }

    /**
     * Whether a page after this name continues a list whose first page was read from these names, just before. A name that was
     * created since is not among them.
     *
     * @param now in nanoseconds
     */
    public boolean continues(String after, long now) {
        return now - readAt < nanos && Arrays.binarySearch(names, after) >= 0;
    }

    /** The names that start with {@code prefix} and sort after {@code after}, in order. */
    public List<String> page(String prefix, String after) {
        String first = after.compareTo(prefix) < 0 ? prefix : after;
        int start = Arrays.binarySearch(names, first);
        start = start < 0 ? -start - 1 : first.equals(after) ? start + 1 : start;
        int end = start;
        while (end < names.length && names[end].startsWith(prefix)) {
            end++;
        }
        return Arrays.asList(names).subList(start, end);
    }
}
