package dev.leasehold.crash;

import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.testkit.nemesis.ContestedFile;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Real processes on a file store and a fenced file. */
class FileNemesisTest extends NemesisContract {
    @Override
    protected Site openSite(Path directory) throws IOException {
        return Site.withoutServer(
                Files.createDirectories(directory.resolve("site")).toString());
    }

    @Override
    protected ContestedTarget open(String address) {
        Path place = Path.of(address);
        return new ContestedFile(FileLeaseStore.create(place.resolve("store")), place.resolve("target"));
    }
}
