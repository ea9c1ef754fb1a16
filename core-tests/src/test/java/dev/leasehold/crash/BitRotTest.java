package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flips every single bit of every record on disk, one at a time, and cuts the file at every length:
 * a reader gets what was written, or an error, but never an earlier token.
 */
class BitRotTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Object REFUSED = "refused";

    @TempDir
    Path root;

    private FileLeaseStore store;

    @BeforeEach
    void open() {
        store = FileLeaseStore.create(root.resolve("store"));
    }

    @Test
    void fenceNeverFallsBackToAnEarlierToken() throws IOException {
        FencedFile page = FencedFile.at(root.resolve("page"));
        page.admit(grant(5), Content.of("five"));
        page.admit(grant(9), Content.of("nine"));

        rot(root.resolve(".page.leasehold-fence"), () -> page.state().orElseThrow());
    }

    @Test
    void fenceThatNamesAFileElsewhereMovesNothing() throws IOException {
        Path precious = Files.writeString(root.resolve("x-staged-y"), "precious");
        Path page = Files.createDirectory(root.resolve("site")).resolve("page");
        // The second write of a fence leaves its decision in place; the first one completes it.
        FencedFile.at(page).admit(grant(4), Content.of("four"));
        FencedFile.at(page).admit(grant(5), Content.of("five"));
        try (TwoCopyFile fence = TwoCopyFile.open(
                page.resolveSibling(".page.leasehold-fence"), TwoCopyFile.Size.SMALL, "test", Duration.ofSeconds(10))) {
            assertThat(fence.text()).contains("pending=");
            fence.replace(fence.text().replaceAll("pending=.*", "pending=../x-staged-y"));
        }

        assertThatThrownBy(() -> FencedFile.at(page).admit(grant(6), Content.of("six")))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("not staged");
        assertThat(page).hasContent("five");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void stateNeverFallsBackToAnEarlierDeadline() throws IOException {
        Grant held = acquire(1);
        for (int seconds = 60; seconds <= 90; seconds += 30) {
            store.renew(List.of(new RenewRequest(held, Duration.ofSeconds(seconds))));
        }

        rot(root.resolve("store/leases/n-job/state"), this::record);
    }

    @Test
    void grantIsReadAsItWasWritten() throws IOException {
        for (int token = 1; token <= 70; token++) {
            store.release(acquire(token), Duration.ZERO);
        }
        acquire(71);

        rot(root.resolve("store/leases/n-job/g-00000000000000000071"), this::record);
    }

    @Test
    void registerRecordNeverFallsBackToAnEarlierOne() throws IOException {
        CasRegister register = store.register();
        register.compareAndSet("key", CasRegister.ABSENT, "running");
        register.compareAndSet("key", register.read("key").version(), "done, and not to be done again");

        rot(root.resolve("store/register/n-key"), () -> register.read("key").value());
    }

    @Test
    void idOfAStoreIsReadAsItWasWritten() throws IOException {
        rot(root.resolve("store/leasehold-store"), () -> FileLeaseStore.create(root.resolve("store"))
                .id());
    }

    private LeaseRecord record() {
        return store.inspect(NAME).orElseThrow().lease();
    }

    /** Flips every bit, except in zeros and blanks, which no reader uses. Then cuts the file. */
    private static void rot(Path file, Supplier<?> reading) throws IOException {
        Object whole = reading.get();
        byte[] bytes = Files.readAllBytes(file);
        int refused = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] != 0 && bytes[at] != ' ') {
                for (int bit = 0; bit < 8; bit++) {
                    overwrite(file, at, (byte) (bytes[at] ^ (1 << bit)));
                    refused += outcome(reading, whole, "bit " + bit + " of byte " + at) == REFUSED ? 1 : 0;
                    overwrite(file, at, bytes[at]);
                }
            }
        }
        assertThat(refused).as("damage that was detected").isGreaterThan(200);
        assertThat(reading.get()).as("after the repair").isEqualTo(whole);
        for (int length = bytes.length - 1; length >= 0; length -= Math.max(1, bytes.length / 100)) {
            byte[] cut = new byte[length];
            System.arraycopy(bytes, 0, cut, 0, length);
            Files.write(file, cut);
            outcome(reading, whole, "cut at " + length);
        }
    }

    private static Object outcome(Supplier<?> reading, Object whole, String damage) {
        try {
            assertThat((Object) reading.get()).as(damage).isEqualTo(whole);
            return whole;
        } catch (StoreCorruptException | TargetUnavailableException e) {
            assertThat(e.getMessage()).as(damage).isNotBlank().matches("\\P{Cntrl}*");
            return REFUSED;
        } catch (RuntimeException e) {
            return fail(damage, e);
        }
    }

    private static void overwrite(Path file, long at, byte value) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {value}), at);
        }
    }

    private Grant acquire(int attempt) {
        Acquisition answer =
                store.acquire(NAME, AttemptId.of("attempt-" + attempt), Holder.of("test"), Duration.ofHours(1));
        return ((Acquisition.Granted) answer).grant();
    }

    private static Grant grant(long token) {
        return new Grant(NAME, FencingToken.of(token), AttemptId.of("attempt-" + token), StoreId.of("store-0001"));
    }
}
