package dev.leasehold.store;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file store that moves away. Its marker refuses everybody who opens it, and its parts get other
 * names, so that each step of its clients fails. A step that is under way may still finish in a
 * file that is open: it holds the lock of its record, and a reader of the content waits for that
 * lock.
 */
final class OutgoingFileStore implements OutgoingStore {
    private static final String DEPARTED = "-moved";

    private final Path directory;
    private final MovedStore state;
    private final SystemIds ids = new SystemIds();
    private final LeaseStore content;

    private OutgoingFileStore(Path directory, MovedStore state, LeaseStore content) {
        this.directory = directory;
        this.state = state;
        this.content = content;
    }

    static OutgoingFileStore start(Path directory, String to) {
        return FileStoreMarker.explained(directory, () -> {
            FileStoreHome.requireStore(directory);
            FileStoreMarker marker = FileStoreMarker.read(directory);
            MovedStore before = marker.moved();
            // A copy of a store is not the store: it must not be moved in its place.
            FileStoreHome home =
                    before == null ? FileStoreHome.open(directory) : FileStoreHome.at(directory, marker.id());
            MovedStore state = MovedStore.toward(to, marker.id(), before);
            if (!state.equals(before)) {
                FileStoreMarker.replace(directory, marker.id(), state, new SystemIds());
            }
            FileStoreHome departed = new FileStoreHome(
                    home.root(), home.id(), depart(home.root(), home.leases()), depart(home.root(), home.register()));
            return new OutgoingFileStore(directory, state, new FileLeaseStore(departed, new SystemIds()));
        });
    }

    private static Path depart(Path root, Path part) throws IOException {
        Path departed = root.resolve(part.getFileName() + DEPARTED);
        if (Disk.exists(part)) {
            Files.move(part, departed, StandardCopyOption.ATOMIC_MOVE);
            Disk.syncDirectory(root);
        }
        return departed;
    }

    @Override
    public StoreId id() {
        return state.id();
    }

    @Override
    public LeaseStore content() {
        return content;
    }

    @Override
    public void allCopied() {
        FileStoreMarker.explained(directory, () -> {
            FileStoreMarker.replace(directory, state.id(), state.copied(), ids);
            return state;
        });
    }

    @Override
    public void close() {
        content.close();
    }
}
