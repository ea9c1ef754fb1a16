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
import org.jspecify.annotations.Nullable;

/**
 * The names that the files in a directory encode, in order. A list is read page by page, and a directory has no order, so the
 * names are kept until the directory changes: those with the prefix that was asked for, and all of them once another prefix is asked
 * for too. Files are opened only if their names are too long for a file name. Safe for use by many threads.
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

    /** Those that start with {@link #prefix}. */
    private String[] names = NONE;

    private String prefix = "";
    private Object version = new Object();

    SortedDirectory(Path directory, CutName cut) {
        this.directory = directory;
        this.cut = cut;
    }

    /** The names that start with {@code wanted} and sort after {@code after}, in order. Some may be gone meanwhile. */
    List<String> names(String wanted, String after) throws IOException {
        String[] all = current(wanted);
        String first = after.compareTo(wanted) < 0 ? wanted : after;
        int start = Arrays.binarySearch(all, first);
        start = start < 0 ? -start - 1 : first.equals(after) ? start + 1 : start;
        int end = start;
        while (end < all.length && all[end].startsWith(wanted)) {
            end++;
        }
        return Arrays.asList(all).subList(start, end);
    }

    /** The names that start with {@code wanted}, and perhaps others. */
    private synchronized String[] current(String wanted) throws IOException {
        FileTime changed = Files.getLastModifiedTime(directory);
        boolean unchanged = version.equals(changed);
        if (!unchanged || !wanted.startsWith(prefix)) {
            boolean settled = changed.toInstant().plus(SETTLED).isBefore(Instant.now());
            prefix = unchanged ? "" : wanted;
            names = read();
            version = settled ? changed : new Object();
        }
        return names;
    }

    private String[] read() throws IOException {
        List<String> found = new ArrayList<>();
        Map<String, String> stillThere = new HashMap<>();
        Disk.visit(directory, path -> {
            String name = nameOf(path, stillThere);
            if (name != null && name.startsWith(prefix)) {
                found.add(name);
            }
        });
        cutNames = stillThere;
        String[] sorted = found.toArray(NONE);
        Arrays.sort(sorted);
        return sorted;
    }

    /** Null if it is no file of ours. */
    private @Nullable String nameOf(Path path, Map<String, String> stillThere) throws IOException {
        String file = String.valueOf(path.getFileName());
        if (FileNames.isWhole(file)) {
            return FileNames.decode(file).orElse(null);
        }
        if (!FileNames.isEncoded(file)) {
            return null;
        }
        String known = cutNames.get(file);
        String name = known == null ? cut.read(path).orElse(null) : known;
        if (name != null) {
            stillThere.put(file, name);
        }
        return name;
    }
}
