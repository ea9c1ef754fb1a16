package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that has the store open while another directory takes its place. */
class ReplacedStoreTest {
    @TempDir
    Path folder;

    private static Acquisition acquire(FileLeaseStore store, String name, String attempt) {
        return store.acquire(LeaseName.of(name), AttemptId.of(attempt), Holder.of("me"), Duration.ofMinutes(1));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    @Test
    void aCopyThatIsPutInItsPlaceGrantsNoTokenAgain() throws Exception {
        Path home = folder.resolve("store");
        try (FileLeaseStore store = FileLeaseStore.create(home)) {
            copy(home, folder.resolve("backup"));
            assertThat(acquire(store, "job", "attempt-0001")).isInstanceOf(Acquisition.Granted.class);
            Files.move(home, folder.resolve("gone"));
            assertThatThrownBy(() -> acquire(store, "job", "attempt-0002"))
                    .isInstanceOf(StoreUnavailableException.class);
            Files.move(folder.resolve("backup"), home);

            assertThatThrownBy(() -> acquire(store, "job", "attempt-0003"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("is a copy of a store");
            assertThatThrownBy(() -> store.register().compareAndSet("key", CasRegister.ABSENT, "value"))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> store.register().read("key")).isInstanceOf(StoreUnavailableException.class);

            Files.move(home, folder.resolve("copy"));
            Files.move(folder.resolve("gone"), home);
            assertThat(acquire(store, "job", "attempt-0004")).isInstanceOf(Acquisition.Busy.class);
        }
    }

    @Test
    void anotherStoreInItsPlaceIsRefusedAndAnAdoptedCopyIsUsed() throws Exception {
        Path home = folder.resolve("store");
        try (FileLeaseStore store = FileLeaseStore.create(home)) {
            acquire(store, "job", "attempt-0001");
            copy(home, folder.resolve("backup"));
            Files.move(home, folder.resolve("gone"));
            FileLeaseStore.create(home).close();
            assertThatThrownBy(() -> acquire(store, "job", "attempt-0002"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("was replaced by another store");

            Files.move(home, folder.resolve("other"));
            Files.move(folder.resolve("backup"), home);
            FileLeaseStore.adopt(home).close();
            assertThat(acquire(store, "job", "attempt-0003")).isInstanceOf(Acquisition.Busy.class);
        }
    }
}
