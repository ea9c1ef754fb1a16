package dev.leasehold.store;

import dev.leasehold.internal.disk.SlotFile;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A register in a directory: one locked file a key, its first line the key itself. */
final class FileRegister implements CasRegister {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);
    private static final String STAGED = "t-";

    private final Path directory;
    private final Ids ids;

    FileRegister(Path directory, Ids ids) {
        this.directory = directory;
        this.ids = ids;
    }

    @Override
    public Reading read(String key) {
        RegisterRules.requireKey(key);
        Path path = path(key);
        try (SlotFile file = SlotFile.open(path, SlotFile.Size.LARGE, "reading " + key, LOCK_WAIT)) {
            String value = file.text().substring(file.text().indexOf('\n') + 1);
            return new Reading(Optional.of(value), Long.toString(file.sequence() + 1), file.openedAt());
        } catch (NoSuchFileException e) {
            // Nobody decides by the time of a key that is not there.
            return Reading.absent(Instant.EPOCH);
        } catch (IOException e) {
            throw failed(e, path);
        }
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        RegisterRules.requireKey(key);
        RegisterRules.requireValue(value);
        Path path = path(key);
        String text = key + '\n' + value;
        try {
            return expected.equals(ABSENT) ? create(path, text) : replace(path, expected, "writing " + key, text);
        } catch (IOException e) {
            throw failed(e, path);
        }
    }

    private boolean create(Path path, String text) throws IOException {
        Path staging = directory.resolve(STAGED + ids.unique());
        return !Files.exists(path) && SlotFile.create(path, SlotFile.Size.LARGE, text, staging);
    }

    private static boolean replace(Path path, String expected, String purpose, String text) throws IOException {
        try (SlotFile file = SlotFile.open(path, SlotFile.Size.LARGE, purpose, LOCK_WAIT)) {
            boolean same = Long.toString(file.sequence() + 1).equals(expected);
            if (same) {
                file.replace(text);
            }
            return same;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[nh]-*")) {
            for (Path path : files) {
                try (SlotFile file = SlotFile.open(path, SlotFile.Size.LARGE, "listing", LOCK_WAIT)) {
                    String key =
                            file.text().substring(0, Math.max(0, file.text().indexOf('\n')));
                    if (key.startsWith(prefix) && key.compareTo(after) > 0) {
                        found.add(key);
                    }
                }
            }
        } catch (IOException e) {
            throw failed(e, directory);
        }
        Collections.sort(found);
        return found.subList(0, Math.min(limit, found.size()));
    }

    private Path path(String key) {
        return directory.resolve(FileNames.encode(key));
    }

    private static RuntimeException failed(IOException e, Path path) {
        return e instanceof SlotFile.CorruptException
                ? new StoreCorruptException(String.valueOf(e.getMessage()), e)
                : FileLeaseStore.unavailable(e, path);
    }
}
