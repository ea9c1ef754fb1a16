package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names that the files in a directory encode, in order. A list is read page by page, and a directory has no order, so the
 * names are kept until the directory changes. Files are opened only if their names are too long for a file name. Safe for use by
 * many threads.
 */
final class SortedDirectory {
    /** A directory that was changed within this time may change again without a new modification time. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    private static final String[] NONE = {};

    /** Reads the name in a file or directory whose own name is cut. */
    @FunctionalInterface
    interface CutName {
        Optional<String> read(Path file) throws IOException;
    }

    private final Path directory;
    private final CutName cut;

    /** Names that were read from files; a file never gets another one. */
    private Map<String, String> cutNames = new HashMap<>();

    private String[] names = NONE;
    private Object version = new Object();

    SortedDirectory(Path directory, CutName cut) {
        this.directory = directory;
        this.cut = cut;
    }

    /** The names that start with {@code prefix} and sort after {@code after}, in order. Some may be gone meanwhile. */
    List<String> names(String prefix, String after) throws IOException {
        String[] all = all();
        String first = after.compareTo(prefix) < 0 ? prefix : after;
        int start = Arrays.binarySearch(all, first);
        start = start < 0 ? -start - 1 : first.equals(after) ? start + 1 : start;
        int end = start;
        while (end < all.length && all[end].startsWith(prefix)) {
            end++;
        }
        return Arrays.asList(all).subList(start, end);
    }

    private synchronized String[] all() throws IOException {
        FileTime changed = Files.getLastModifiedTime(directory);
        if (!version.equals(changed)) {
            boolean settled = changed.toInstant().plus(SETTLED).isBefore(Instant.now());
            names = read();
            version = settled ? changed : new Object();
        }
        return names;
    }

    private String[] read() throws IOException {
        List<String> found = new ArrayList<>(names.length);
        Map<String, String> stillThere = new HashMap<>();
        for (Path path : Disk.list(directory)) {
            String file = String.valueOf(path.getFileName());
            if (FileNames.isWhole(file)) {
                FileNames.decode(file).ifPresent(found::add);
            } else if (FileNames.isEncoded(file)) {
                String known = cutNames.get(file);
                String name = known == null ? cut.read(path).orElse(null) : known;
                if (name != null) {
                    stillThere.put(file, name);
                    found.add(name);
                }
            }
        }
        cutNames = stillThere;
        String[] sorted = found.toArray(NONE);
        Arrays.sort(sorted);
        return sorted;
    }
}
