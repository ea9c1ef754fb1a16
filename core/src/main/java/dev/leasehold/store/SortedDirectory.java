package dev.leasehold.store;

import dev.leasehold.internal.SortedNames;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The names that the files in a directory encode, in order. A list is read page by page, and a directory has no order, so the
 * names are kept until the directory changes: those with the prefix that was asked for, and all of them once another prefix is asked
 * for too. Files are opened only if their names are too long for a file name. Safe for use by many threads.
 */
final class SortedDirectory {
    /** A directory that was changed within this time may change again without a new modification time. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** Reads the name in a file or directory whose own name is cut. */
    @FunctionalInterface
    interface CutName {
        Optional<String> read(Path file) throws IOException;
    }

    private final Path directory;
    private final CutName cut;
    private final LongSupplier nanos;

    /** Names that were read from files; a file never gets another one. */
    private Map<String, String> cutNames = new HashMap<>();

    /** Those that start with {@link #prefix}. */
    private SortedNames names = SortedNames.NONE;

    private String prefix = "";
    private Object version = new Object();

    SortedDirectory(Path directory, CutName cut) {
        this(directory, cut, System::nanoTime);
    }

    /** @param nanos the time: for tests */
    SortedDirectory(Path directory, CutName cut, LongSupplier nanos) {
        this.directory = directory;
        this.cut = cut;
        this.nanos = nanos;
    }

    /**
     * The names that start with {@code wanted} and sort after {@code after}, in order. Some may be gone meanwhile, and later pages
     * of a list may lack some that were created since its first one.
     */
    synchronized List<String> names(String wanted, String after) throws IOException {
        long now = nanos.getAsLong();
        FileTime changed = Files.getLastModifiedTime(directory);
        boolean unchanged = version.equals(changed);
        boolean usable = wanted.startsWith(prefix) && (unchanged || names.continues(after, now));
        if (!usable) {
            boolean settled = changed.toInstant().plus(SETTLED).isBefore(Instant.now());
            String kept = unchanged ? "" : wanted;
            // If the directory cannot be read, what is kept stays as it is.
            List<String> found = read(kept);
            names = new SortedNames(found, now, nanos.getAsLong());
            prefix = kept;
            version = settled ? changed : new Object();
        }
        return names.page(wanted, after);
    }

    private List<String> read(String start) throws IOException {
        List<String> found = new ArrayList<>();
        Map<String, String> stillThere = new HashMap<>();
        Disk.visit(directory, path -> {
            String name = nameOf(path, stillThere);
            if (name != null && name.startsWith(start)) {
                found.add(name);
            }
        });
        cutNames = stillThere;
        return found;
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
