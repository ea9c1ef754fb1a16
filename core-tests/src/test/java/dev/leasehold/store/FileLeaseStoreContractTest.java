package dev.leasehold.store;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileLeaseStoreContractTest extends LeaseStoreContract {
    @TempDir
    static Path directory;

    @Override
    protected LeaseStore openStore() {
        return FileLeaseStore.create(directory.resolve("store"));
    }
}
