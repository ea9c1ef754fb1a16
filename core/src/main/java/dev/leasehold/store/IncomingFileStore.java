package dev.leasehold.store;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.internal.disk.Trees;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory that is filled with the content of another store. It has no marker until it is
 * complete, and only the process that has its lock fills it.
 */
final class IncomingFileStore implements IncomingStore {
    private final FileStoreHome home;
    private final MoveLock lock;
    private final SystemIds ids = new SystemIds();
    private final FileLeaseStore store;

    private IncomingFileStore(FileStoreHome home, MoveLock lock) {
        this.home = home;
        this.lock = lock;
        this.store = new FileLeaseStore(home, ids);
    }

    static IncomingFileStore start(Path directory, StoreId id) {
        return FileStoreMarker.explained(directory, () -> {
            requireFree(directory);
            FileStoreHome.createDirectory(directory);
            Path receiving = directory.resolve(FileStoreHome.RECEIVING);
            if (!Disk.exists(receiving) && !Disk.list(directory).isEmpty()) {
                throw new StoreUnavailableException(
                        directory + " is not empty; nothing was changed. Choose an empty directory");
            }
            MoveLock lock = MoveLock.take(receiving);
            boolean started = false;
            try {
                requireFor(id, lock, directory);
                FileStoreHome.createParts(directory);
                IncomingFileStore incoming = new IncomingFileStore(FileStoreHome.at(directory, id), lock);
                started = true;
                return incoming;
            } finally {
                if (!started) {
                    lock.close();
                }
            }
        });
    }

    private static void requireFree(Path directory) throws IOException {
        if (FileStoreMarker.isIn(directory)) {
            throw new StoreUnavailableException(taken(directory));
        }
    }

    private static String taken(Path directory) throws IOException {
        boolean moved = FileStoreMarker.read(directory).moved() != null;
        return (moved
                        ? "what remains of a store that was moved away is in " + directory
                        : "there is a store in " + directory + " already")
                + "; nothing was changed. Choose another directory";
    }

    private static void requireFor(StoreId id, MoveLock lock, Path directory) throws IOException {
        requireFree(directory);
        String before = lock.text();
        if (before.isEmpty()) {
            lock.write(id.value());
        } else if (!before.equals(id.value())) {
            throw new StoreUnavailableException("an interrupted move of another store, " + before + ", has half filled "
                    + directory + "; nothing was changed. Choose another directory, or remove this one");
        }
    }

    @Override
    public CasRegister register() {
        return store.register();
    }

    @Override
    public void put(LeaseRecord record, List<Transfer> history) {
        Path directory = home.leases().resolve(FileNames.encode(record.name().value()));
        FileStoreMarker.explained(directory, () -> {
            Trees.delete(directory);
            Files.createDirectory(directory);
            GrantFiles.put(directory, record, history);
            GrantFiles.createState(directory, RecordText.format(record, List.of()), ids);
            return home;
        });
    }

    @Override
    public void raiseFloor(long floor) {
        FileStoreMarker.explained(home.root(), () -> {
            store.forgetting().raise(floor);
            return home;
        });
    }

    @Override
    public void prepare() {
        FileStoreMarker.explained(home.root(), () -> {
            requireFree(home.root());
            Disk.syncDirectory(home.leases());
            Disk.syncDirectory(home.register());
            return home;
        });
    }

    @Override
    public void complete() {
        FileStoreMarker.explained(home.root(), () -> {
            FileStoreMarker.create(home.root(), home.id(), ids);
            // Somebody who created a store at the same moment does not know the lock.
            if (!FileStoreMarker.read(home.root()).id().equals(home.id())) {
                throw new StoreUnavailableException(taken(home.root()));
            }
            FileStoreHome.syncParent(home.root());
            lock.remove();
            return home;
        });
    }

    /** What was put stays, so that the move can go on. */
    @Override
    public void close() {
        store.close();
        lock.close();
    }
}
