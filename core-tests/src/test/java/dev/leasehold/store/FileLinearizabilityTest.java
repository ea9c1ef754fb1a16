package dev.leasehold.store;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.history.LinearizabilityContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileLinearizabilityTest extends LinearizabilityContract {
    @TempDir
    static Path directory;

    @Override
    protected LeaseStore openStore() {
        return FileLeaseStore.create(directory.resolve("store"));
    }
}
