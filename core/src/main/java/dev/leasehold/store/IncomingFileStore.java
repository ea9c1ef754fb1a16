package dev.leasehold.store;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
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

/** A directory that is filled with the content of another store. It has no marker until it is complete. */
final class IncomingFileStore implements IncomingStore {
    private static final String RECEIVING = ".leasehold-receiving";

    private final FileStoreHome home;
    private final SystemIds ids = new SystemIds();
    private final FileLeaseStore store;

    private IncomingFileStore(FileStoreHome home) {
        this.home = home;
        this.store = new FileLeaseStore(home, ids);
    }

    static IncomingFileStore start(Path directory, StoreId id) {
        return FileStoreMarker.explained(directory, () -> {
            if (FileStoreMarker.isIn(directory)) {
                throw new StoreUnavailableException(
                        "there is a store in " + directory + " already; nothing was changed. Choose another directory");
            }
            FileStoreHome.createDirectory(directory);
            Path receiving = directory.resolve(RECEIVING);
            if (!Disk.exists(receiving)) {
                requireEmpty(directory);
                Files.createFile(receiving);
            }
            FileStoreHome.createParts(directory);
            return new IncomingFileStore(FileStoreHome.at(directory, id));
        });
    }

    private static void requireEmpty(Path directory) throws IOException {
        if (!Disk.list(directory).isEmpty()) {
            throw new StoreUnavailableException(
                    directory + " is not empty; nothing was changed. Choose an empty directory");
        }
    }

    @Override
    public CasRegister register() {
        return store.register();
    }

    @Override
    public void put(LeaseRecord record, List<Transfer> history) {
        store.put(record, history);
    }

    @Override
    public void complete() {
        FileStoreMarker.explained(home.root(), () -> {
            Disk.syncDirectory(home.leases());
            Disk.syncDirectory(home.register());
            FileStoreMarker.create(home.root(), home.id(), ids);
            FileStoreHome.syncParent(home.root());
            Files.deleteIfExists(home.root().resolve(RECEIVING));
            return home;
        });
    }

    @Override
    public void close() {
        store.close();
    }
}
