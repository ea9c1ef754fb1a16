package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A register in a directory, with one locked file per key. The file contains the key, a random id
 * from its creation, and the value. The id and the sequence number form the version, so a key that
 * is removed and created again never gets an old version.
 */
final class FileRegister implements CasRegister {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);
    private static final String STAGED = "t-";

    /** The text of a removed file, for a process that opened it before it was deleted. */
    private static final String REMOVED = "";

    /** The version of a record that could be read but not written. */
    private static final String READ_ONLY = "read-only";

    /** The version of a record that could not be read. */
    private static final String DAMAGED = "damaged";

    private final FileStoreHome home;
    private final Path root;
    private final Path directory;
    private final Ids ids;
    private final SortedDirectory names;

    FileRegister(FileStoreHome home, Ids ids) {
        this.home = home;
        this.root = home.root();
        this.directory = home.register();
        this.ids = ids;
        this.names = new SortedDirectory(directory, FileRegister::keyIn);
    }

    private record Entry(String key, String birth, String value) {
        /** Null if the file was removed while this process waited for its lock. */
        static @Nullable Entry in(TwoCopyFile file) {
            return parse(file.text());
        }

        static @Nullable Entry parse(String text) {
            if (text.equals(REMOVED)) {
                return null;
            }
            String[] parts = text.split("\n", 3);
            if (parts.length < 3) {
                throw new StoreCorruptException(
                        "a record of the register cannot be read: it has fewer than three lines. Nothing was changed");
            }
            return new Entry(parts[0], parts[1], parts[2]);
        }

        String text() {
            return key + '\n' + birth + '\n' + value;
        }

        String version(TwoCopyFile file) {
            return version(file.sequence());
        }

        String version(long sequence) {
            return birth + '.' + sequence;
        }
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireKey(key);
        try (TwoCopyFile file = open(key)) {
            Entry entry = Entry.in(file);
            return entry == null
                    ? Reading.absent(file.openedAt())
                    : new Reading(Optional.of(entry.value), entry.version(file), file.openedAt());
        } catch (NoSuchFileException e) {
            return readAbsent();
        } catch (IOException e) {
            if (Disk.isUnwritable(e)) {
                return readOnly(key);
            }
            throw failed(e, path(key));
        }
    }

    /** For a user or a disk that cannot write. Uses the clock of this host. */
    private Reading readOnly(String key) {
        try {
            Entry entry = Entry.parse(TwoCopyFile.peek(path(key), TwoCopyFile.Size.LARGE, LOCK_WAIT));
            return entry == null
                    ? Reading.absent(Instant.now())
                    : new Reading(Optional.of(entry.value), READ_ONLY, Instant.now());
        } catch (IOException e) {
            throw failed(e, path(key));
        }
    }

    /**
     * Creates a file to get the time of the file system, because callers may date leases by the
     * answer. Where no file can be created, nothing can be leased either, and the clock of this host
     * will do.
     */
    private Reading readAbsent() {
        Path moment = directory.resolve(STAGED + ids.unique());
        try {
            try {
                Files.write(moment, new byte[] {'.'}, StandardOpenOption.CREATE_NEW);
                return Reading.absent(Files.getLastModifiedTime(moment).toInstant());
            } finally {
                // Also on a full disk, on which the file can be created and not be written.
                Files.deleteIfExists(moment);
            }
        } catch (IOException e) {
            if (Disk.isUnwritable(e)) {
                return Reading.absent(Instant.now());
            }
            throw failed(e, directory);
        }
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        CasRegister.requireKey(key);
        CasRegister.requireValue(value);
        requireWritable(key, expected);
        try {
            return expected.equals(ABSENT) ? create(key, value) : replace(key, expected, value);
        } catch (IOException e) {
            throw failed(e, path(key));
        }
    }

    /** Not an answer that another process was faster: the record may be unchanged. */
    private void requireWritable(String key, String expected) {
        if (expected.equals(READ_ONLY)) {
            throw new StoreUnavailableException("the store cannot be used: " + path(key)
                    + " could not be written when it was read, for lack of permission or space; nothing was changed. Give this"
                    + " user access, or free some space, and try again");
        }
    }

    private boolean create(String key, String value) throws IOException {
        home.wasReplaced();
        Path staging = directory.resolve(STAGED + ids.unique());
        String text = new Entry(key, ids.unique(), value).text();
        return Disk.exists(path(key))
                ? revive(key, text)
                : TwoCopyFile.create(path(key), TwoCopyFile.Size.LARGE, text, staging, TwoCopyFile.Preparation.NONE);
    }

    /**
     * Uses a file again that a process emptied in order to remove it, and crashed before it was
     * deleted.
     */
    private boolean revive(String key, String text) throws IOException {
        try {
            Object before = identity(key);
            try (TwoCopyFile file = open(key)) {
                // Files are deleted only under this lock, so a file with the same identity still
                // has its name.
                boolean left = Entry.in(file) == null && before != null && before.equals(identity(key));
                if (left) {
                    file.replace(text);
                }
                return left;
            }
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private @Nullable Object identity(String key) throws IOException {
        return Files.readAttributes(path(key), BasicFileAttributes.class).fileKey();
    }

    private boolean replace(String key, String expected, String value) throws IOException {
        try (TwoCopyFile file = open(key)) {
            Entry entry = Entry.in(file);
            boolean same = entry != null && entry.version(file).equals(expected);
            if (entry != null && same) {
                file.replace(new Entry(key, entry.birth, value).text());
            }
            return same;
        } catch (NoSuchFileException e) {
            requireHere();
            return false;
        }
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireKey(key);
        requireWritable(key, expected);
        try (TwoCopyFile file = open(key)) {
            Entry entry = Entry.in(file);
            boolean same = entry != null && entry.version(file).equals(expected);
            if (same) {
                // Emptied first, for processes that have opened it already; then deleted, under the
                // lock.
                file.replace(REMOVED);
                Files.deleteIfExists(path(key));
                Disk.syncDirectory(directory);
            }
            return same;
        } catch (NoSuchFileException e) {
            requireHere();
            return false;
        } catch (IOException e) {
            throw failed(e, path(key));
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return List.copyOf(versions(prefix, after, limit).keySet());
    }

    /** Most file names contain the whole key, so only the files on the page are opened. */
    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        try {
            Map<String, String> found = new LinkedHashMap<>();
            for (String key : names.names(prefix, after)) {
                if (found.size() >= limit) {
                    break;
                }
                versionIn(directory.resolve(FileNames.encode(key))).ifPresent(version -> found.put(key, version));
            }
            return found;
        } catch (IOException e) {
            throw failed(e, directory);
        }
    }

    /** A record that cannot be read is there: whoever reads it learns that it is damaged. */
    private static Optional<String> versionIn(Path path) throws IOException {
        try {
            return glance(path).map(Version::text);
        } catch (StoreCorruptException | TwoCopyFile.CorruptException e) {
            return Optional.of(DAMAGED);
        }
    }

    private static Optional<String> keyIn(Path path) throws IOException {
        return glance(path).map(Version::key);
    }

    /** The key and the version of a record. */
    private record Version(String key, String text) {}

    /**
     * Reads without the lock: a record that another process has locked must not delay the others.
     */
    private static Optional<Version> glance(Path path) throws IOException {
        try {
            TwoCopyFile.Glance found = TwoCopyFile.glance(path, TwoCopyFile.Size.LARGE, LOCK_WAIT);
            return Optional.ofNullable(Entry.parse(found.text()))
                    .map(entry -> new Version(entry.key, entry.version(found.sequence())));
        } catch (NoSuchFileException e) {
            // Removed after the directory was read.
            return Optional.empty();
        }
    }

    /** @throws dev.leasehold.model.StoreMovedException if the record is gone because the store went elsewhere */
    private void requireHere() {
        if (!Files.isDirectory(directory)) {
            FileStoreMarker.requireHere(root);
        }
    }

    private TwoCopyFile open(String key) throws IOException {
        home.wasReplaced();
        return TwoCopyFile.open(path(key), TwoCopyFile.Size.LARGE, "record " + key, LOCK_WAIT);
    }

    private Path path(String key) {
        return directory.resolve(FileNames.encode(key));
    }

    /** @throws dev.leasehold.model.StoreMovedException if the step failed because the store went elsewhere */
    private RuntimeException failed(IOException e, Path path) {
        if (e instanceof NoSuchFileException) {
            requireHere();
        }
        return e instanceof TwoCopyFile.CorruptException
                ? new StoreCorruptException(
                        e.getMessage() + ". If there is none, move the file away; then what it records is forgotten", e)
                : FileLeaseStore.unavailable(e, path);
    }
}
