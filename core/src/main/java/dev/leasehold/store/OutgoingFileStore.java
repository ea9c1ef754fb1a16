package dev.leasehold.store;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.MovingStore;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A file store that moves away. Its marker refuses everybody who opens it, and its parts get other
 * names, so that each step of its clients fails. A step that is under way may still finish in a
 * file that is open: it holds the lock of its record, and a reader of the content waits for that
 * lock.
 */
final class OutgoingFileStore extends MovingStore {
    private static final String LOCK = ".leasehold-moving";

    private final FileStoreHome home;
    private final MoveLock lock;

    private OutgoingFileStore(FileStoreHome home, MoveLock lock, MovedStore state) {
        super(state, content(home));
        this.home = home;
        this.lock = lock;
    }

    private static LeaseStore content(FileStoreHome home) {
        return new FileLeaseStore(
                FileStoreHome.at(home.root(), home.id(), departed(home.leases()), departed(home.register())),
                new SystemIds());
    }

    static OutgoingFileStore start(Path directory, String to) {
        return FileStoreMarker.explained(directory, () -> {
            FileStoreHome.requireStore(directory);
            MoveLock lock = MoveLock.take(directory.toRealPath().resolve(LOCK));
            boolean started = false;
            try {
                FileStoreMarker marker = FileStoreMarker.read(directory);
                FileStoreHome home = FileStoreHome.at(directory, marker.id());
                // A copy of a store is not the store: it must not be moved in its place.
                Path leases = Disk.exists(home.leases()) ? home.leases() : departed(home.leases());
                FileStoreHome.requireOriginal(directory, marker, leases);
                MovedStore state = MovedStore.toward(to, marker.id(), marker.moved());
                if (marker.moved() == null) {
                    begin(home, state);
                } else if (!state.equals(marker.moved())) {
                    FileStoreMarker.replace(home.root(), home.id(), state, new SystemIds());
                }
                finishDeparture(home);
                started = true;
                return new OutgoingFileStore(home, lock, state);
            } finally {
                if (!started) {
                    lock.close();
                }
            }
        });
    }

    /** If the parts cannot be renamed, nothing has changed. */
    private static void begin(FileStoreHome home, MovedStore state) throws IOException {
        for (Path part : List.of(home.leases(), home.register())) {
            if (Disk.existsNoFollow(departed(part))) {
                throw new StoreUnavailableException(
                        departed(part) + " exists, from an earlier move of a store from this"
                                + " directory; nothing was changed. Move it away first");
            }
        }
        FileStoreMarker.replace(home.root(), home.id(), state, new SystemIds());
        try {
            finishDeparture(home);
        } catch (IOException e) {
            for (Path part : List.of(home.leases(), home.register())) {
                if (Disk.existsNoFollow(departed(part))) {
                    Files.move(departed(part), part, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            FileStoreMarker.replace(home.root(), home.id(), null, new SystemIds());
            throw e;
        }
    }

    private static void finishDeparture(FileStoreHome home) throws IOException {
        for (Path part : List.of(home.leases(), home.register())) {
            if (Disk.existsNoFollow(part)) {
                Files.move(part, departed(part), StandardCopyOption.ATOMIC_MOVE);
            }
        }
        Disk.syncDirectory(home.root());
    }

    private static Path departed(Path part) {
        return part.resolveSibling(part.getFileName() + FileStoreMarker.DEPARTED);
    }

    @Override
    protected void record(MovedStore next) {
        FileStoreMarker.explained(home.root(), () -> {
            FileStoreMarker.replace(home.root(), home.id(), next, new SystemIds());
            return next;
        });
    }

    @Override
    public void close() {
        super.close();
        lock.close();
    }
}
