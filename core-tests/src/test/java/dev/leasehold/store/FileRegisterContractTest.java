package dev.leasehold.store;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileRegisterContractTest extends CasRegisterContract {
    @TempDir
    Path directory;

    @Override
    protected CasRegister openRegister() {
        return FileLeaseStore.create(directory.resolve("store")).register();
    }
}
