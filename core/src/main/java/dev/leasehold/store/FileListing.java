package dev.leasehold.store;

import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.internal.disk.ParallelWork;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lists of a file store. A record of a list is read without its lock: that is several times cheaper, and does not disturb its
 * holder. Only the first record of a page is inspected under its lock, which also tells the time of the file system's clock.
 */
final class FileListing {
    private static final Duration WAIT = Duration.ofMillis(250);

    private final Path leases;
    private final SortedDirectory directory;
    private final Function<LeaseName, Optional<LeaseSnapshot>> inspect;

    FileListing(Path leases, Function<LeaseName, Optional<LeaseSnapshot>> inspect) {
        this.leases = leases;
        this.directory = new SortedDirectory(leases, FileListing::nameIn);
        this.inspect = inspect;
    }

    /** As {@link dev.leasehold.spi.LeaseStore#names}. */
    List<LeaseName> names(String prefix, String after, int limit) throws IOException {
        List<LeaseName> found = new ArrayList<>();
        for (String text : directory.names(prefix, after)) {
            if (found.size() >= limit) {
                break;
            }
            LeaseName name = name(text);
            if (name != null && isLeased(pathOf(name))) {
                found.add(name);
            }
        }
        return found;
    }

    /** Null for a directory that somebody else put there. */
    private static @Nullable LeaseName name(String text) {
        try {
            return LeaseName.of(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** As {@link dev.leasehold.spi.LeaseStore#list}. */
    List<LeaseSnapshot> list(String prefix, String after, int limit) throws IOException {
        List<String> names = directory.names(prefix, after);
        List<LeaseSnapshot> found = new ArrayList<>();
        int next = 0;
        while (found.isEmpty() && next < names.size() && limit > 0) {
            LeaseName name = name(names.get(next++));
            LeaseSnapshot first = name == null ? null : locked(name);
            if (first != null) {
                found.add(first);
            }
        }
        while (found.size() < limit && next < names.size()) {
            int end = Math.min(names.size(), next + limit - found.size());
            read(names.subList(next, end), found);
            next = end;
        }
        return found;
    }

    /** Several threads read, because a disk answers several of them at the same time. */
    private void read(List<String> names, List<LeaseSnapshot> to) throws IOException {
        Instant clock = to.get(0).at();
        Map<Path, LeaseName> places = new LinkedHashMap<>();
        for (String text : names) {
            LeaseName name = name(text);
            if (name != null) {
                places.put(pathOf(name), name);
            }
        }
        Map<Path, LeaseSnapshot> found = new ConcurrentHashMap<>();
        ParallelWork.forEach(List.copyOf(places.keySet()), place -> {
            LeaseSnapshot lease = read(Objects.requireNonNull(places.get(place)), clock);
            if (lease != null) {
                found.put(place, lease);
            }
        });
        for (Path place : places.keySet()) {
            LeaseSnapshot lease = found.get(place);
            if (lease != null) {
                to.add(lease);
            }
        }
    }

    /** The grants are listed after the state is read: if they are not newer, the state is the current one. */
    private @Nullable LeaseSnapshot read(LeaseName name, Instant clock) throws IOException {
        Path path = pathOf(name);
        Path stateFile = path.resolve(FileLeaseStore.STATE);
        try {
            String state =
                    TwoCopyFile.glance(stateFile, TwoCopyFile.Size.SMALL, WAIT).text();
            LeaseRecord record = GrantFiles.list(path).current(name, state, stateFile);
            return record == null ? null : new LeaseSnapshot(record, LeaseRules.storeTime(record, clock));
        } catch (IOException e) {
            // It is just being written, forgotten or created; or it is damaged.
            return locked(name);
        }
    }

    private @Nullable LeaseSnapshot locked(LeaseName name) throws IOException {
        return isLeased(pathOf(name)) ? inspect.apply(name).orElse(null) : null;
    }

    private Path pathOf(LeaseName name) {
        return leases.resolve(FileNames.encode(name.value()));
    }

    /** A waiter also makes the directory of a name, and so does a process that died before it was granted. */
    private static boolean isLeased(Path path) throws IOException {
        try {
            return GrantFiles.list(path).highest() > 0;
        } catch (StoreCorruptException e) {
            return true;
        } catch (NotDirectoryException | NoSuchFileException e) {
            // Somebody put something else there, or the name was just removed.
            return false;
        }
    }

    private static Optional<String> nameIn(Path path) throws IOException {
        try {
            GrantFiles grants = GrantFiles.list(path);
            return grants.highest() == 0
                    ? Optional.empty()
                    : Optional.of(grants.read(grants.highest()).name().value());
        } catch (NotDirectoryException e) {
            return Optional.empty();
        } catch (NoSuchFileException e) {
            if (Disk.exists(path)) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
