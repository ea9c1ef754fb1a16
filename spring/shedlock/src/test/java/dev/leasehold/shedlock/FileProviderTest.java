package dev.leasehold.shedlock;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** ShedLock's suite on a file store. */
class FileProviderTest extends ProviderSuite {
    @TempDir
    static Path directory;

    @Override
    String url() {
        return "file:" + directory.resolve("leases");
    }
}
