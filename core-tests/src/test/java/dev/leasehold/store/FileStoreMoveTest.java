package dev.leasehold.store;

import dev.leasehold.testkit.StoreMoveContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileStoreMoveTest extends StoreMoveContract {
    @TempDir
    Path directory;

    @Override
    protected String url() {
        return "file:" + directory.resolve("store");
    }
}
