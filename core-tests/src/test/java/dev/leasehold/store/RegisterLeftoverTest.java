package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.spi.CasRegister;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that dies while it removes a record leaves the file, emptied and not yet deleted. */
class RegisterLeftoverTest {
    @TempDir
    Path directory;

    @Test
    void keyWhoseRemovalWasInterruptedIsAbsentAndCanBeCreatedAgain() throws IOException {
        try (FileLeaseStore store = FileLeaseStore.create(directory)) {
            CasRegister register = store.register();
            assertThat(register.compareAndSet("key", CasRegister.ABSENT, "first"))
                    .isTrue();
            String first = register.read("key").version();
            empty(directory.resolve("register").resolve("n-key"));

            assertThat(register.read("key").value()).isEmpty();
            assertThat(register.keys("", "", 10)).doesNotContain("key");
            assertThat(register.compareAndSet("key", first, "from before")).isFalse();
            assertThat(register.compareAndSet("key", CasRegister.ABSENT, "second"))
                    .isTrue();

            assertThat(register.read("key").value()).contains("second");
            assertThat(register.read("key").version()).isNotEqualTo(first);
            assertThat(register.keys("", "", 10)).contains("key");
            assertThat(register.compareAndSet("key", CasRegister.ABSENT, "third"))
                    .isFalse();
        }
    }

    @Test
    void longKeysAreFoundByTheirPrefix() {
        try (FileLeaseStore store = FileLeaseStore.create(directory)) {
            CasRegister register = store.register();
            String name = "N".repeat(100);
            for (String key : List.of(name + "/a", name + "/b", name + "x/a", "N")) {
                assertThat(register.compareAndSet(key, CasRegister.ABSENT, "value"))
                        .isTrue();
            }
            assertThat(register.keys(name + "/", "", 10)).containsExactly(name + "/a", name + "/b");
            assertThat(register.keys(name, "", 10)).hasSize(3);
            assertThat(register.keys("N", "", 10)).hasSize(4);
        }
    }

    @Test
    void unknownFileDoesNotBreakTheList() throws IOException {
        try (FileLeaseStore store = FileLeaseStore.create(directory)) {
            CasRegister register = store.register();
            register.compareAndSet("key", CasRegister.ABSENT, "value");
            for (String stray : List.of("n-%", "n-%z", "n-%zz", "n-Notes.txt", "n-copy of key")) {
                Files.writeString(directory.resolve("register").resolve(stray), "not ours");
            }
            assertThat(register.keys("", "", 10)).containsExactly("key");
        }
    }

    private static void empty(Path path) throws IOException {
        assertThat(Files.exists(path)).isTrue();
        try (TwoCopyFile file = TwoCopyFile.open(path, TwoCopyFile.Size.LARGE, "test", Duration.ofSeconds(10))) {
            file.replace("");
        }
    }
}
