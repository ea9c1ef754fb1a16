package dev.leasehold.shedlock;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** ShedLock's suite on a file store. */
class FileProviderTest extends ProviderSuite {
    @TempDir
    static Path directory;

    @Override
    String url() {
        return "file:" + directory.resolve("leases");
    }

    /** The clock of a file system moves in steps of some milliseconds, so a lock may last that much longer. */
    @Override
    protected void sleepFor(Duration duration) {
        super.sleepFor(duration.plusMillis(20));
    }
}
