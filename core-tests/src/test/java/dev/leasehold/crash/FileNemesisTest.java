package dev.leasehold.crash;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

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
        return new FileAndStore(FileLeaseStore.create(place.resolve("store")), place.resolve("target"));
    }

    private record FileAndStore(LeaseStore store, Path target) implements ContestedTarget {
        private FencedFile fence() {
            return FencedFile.at(target).waitingAtMost(Duration.ofSeconds(3));
        }

        @Override
        public Admission raise(Grant grant) {
            return fence().raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence().admit(grant, Content.of(content));
        }

        @Override
        public String read() {
            try {
                return Files.exists(target) ? Files.readString(target) : "";
            } catch (IOException e) {
                throw new TargetUnavailableException("the target cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public void overwrite(String content) {
            try {
                Actor.overwrite(target, content);
            } catch (IOException e) {
                throw new TargetUnavailableException("the target cannot be written: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
