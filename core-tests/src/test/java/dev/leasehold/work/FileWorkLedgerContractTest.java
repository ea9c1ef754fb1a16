package dev.leasehold.work;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileWorkLedgerContractTest extends WorkLedgerContract {
    @TempDir
    static Path directory;

    @Override
    protected LeaseStore openStore() {
        return FileLeaseStore.create(directory.resolve("store"));
    }
}
