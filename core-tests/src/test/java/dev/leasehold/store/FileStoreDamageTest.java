package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.crash.ActorProcess;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records that a correct store cannot contain: the message names the file, and not one byte is
 * changed.
 */
class FileStoreDamageTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final int PAGE = 4096;
    private static final int COMPLETION_MARK = 512;

    @TempDir
    Path root;

    private Path home;
    private Path state;
    private Path grantFile;
    private FileLeaseStore store;
    private Grant grant;

    @BeforeEach
    void leaseThatWasRenewedTwice() {
        home = root.resolve("store");
        store = FileLeaseStore.create(home);
        grant = ((Acquisition.Granted) acquire("attempt-0001")).grant();
        renew(Duration.ofSeconds(60));
        renew(Duration.ofSeconds(90));
        state = home.resolve("leases/n-job/state");
        grantFile = home.resolve("leases/n-job/g-00000000000000000001");
    }

    @Test
    void damagedCopyIsNotTakenForAnInterruptedOne() throws Exception {
        // The second renewal was write number 2, the latest: the copy before it is out of date.
        damageCopy(2);
        assertCorruptAndUntouched(state);
    }

    @Test
    void copyInterruptedByACrashFallsBackToTheEarlierOne() throws Exception {
        damageCopy(2);
        removeCompletionMark();
        Acquisition answer = acquire("attempt-0002");
        assertThat(answer).isInstanceOf(Acquisition.Busy.class);
        assertThat(((Acquisition.Busy) answer).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(60));
        assertThat(renew(Duration.ofSeconds(90))).isInstanceOf(Renewal.Renewed.class);
        assertThat(((Acquisition.Busy) acquire("attempt-0002")).remaining()).isGreaterThan(Duration.ofSeconds(80));
    }

    /** A record restored to the wrong place would free a lease that is held. */
    @Test
    void recordOfAnotherNameIsCorrupt() throws Exception {
        LeaseName other = LeaseName.of("other");
        store.acquire(other, AttemptId.of("attempt-0009"), Holder.of("holder"), Duration.ofSeconds(60));
        store.abandon(other, AttemptId.of("attempt-0009"));
        Files.copy(home.resolve("leases/n-other/state"), state, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> acquire("attempt-0002"))
                .isInstanceOf(StoreCorruptException.class)
                .hasMessageContaining("belongs to the name other");
    }

    @Test
    void twoDamagedCopiesAreCorruptAndLeftAsTheyAre() throws Exception {
        damageCopy(1);
        damageCopy(2);
        assertCorruptAndUntouched(state);
    }

    @Test
    void truncatedStateIsCorruptAndLeftAsItIs() throws Exception {
        for (int length : new int[] {PAGE + 10, 100, 0}) {
            try (FileChannel channel = FileChannel.open(state, StandardOpenOption.WRITE)) {
                channel.truncate(length);
            }
            assertCorruptAndUntouched(state);
        }
    }

    @Test
    void garbageInsteadOfAStateIsCorruptAndLeftAsItIs() throws Exception {
        Files.writeString(state, "not a record\n".repeat(30_000));
        assertCorruptAndUntouched(state);
        Files.writeString(state, " ".repeat(PAGE) + "slot 0 99999999999 zz\n".repeat(9000));
        assertCorruptAndUntouched(state);
    }

    @Test
    void garbageInsteadOfAGrantIsCorruptAndLeftAsItIs() throws Exception {
        // Only a grant that was never renewed is read from its own file.
        store.release(grant, Duration.ZERO);
        acquire("attempt-0002");
        Path second = home.resolve("leases/n-job/g-00000000000000000002");
        for (String text : new String[] {"garbage", "", "leasehold lease 1\nname=job\n", "leasehold lease 1\nname"}) {
            Files.writeString(second, text);
            assertCorruptAndUntouched(second);
        }
    }

    @Test
    void missingHighestGrantIsReportedAsDamage() throws Exception {
        Files.delete(grantFile);
        byte[] before = copies();
        assertThatThrownBy(() -> acquire("attempt-0002"))
                .isInstanceOf(StoreCorruptException.class)
                .hasMessageContaining("token 1 is missing")
                .hasMessageContaining(state.toRealPath().toString());
        assertThat(copies()).as("the record").isEqualTo(before);
        assertThat(Files.exists(grantFile)).as("not issued again").isFalse();
    }

    @Test
    void damageOfOneNameDoesNotAffectAnother() throws Exception {
        damageCopy(1);
        damageCopy(2);
        Acquisition other = store.acquire(
                LeaseName.of("other"), AttemptId.of("attempt-0001"), Holder.of("test"), Duration.ofSeconds(1));
        assertThat(other).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void fileInPlaceOfTheDirectoryIsNamed() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "precious");
        for (Path place : List.of(file, file.resolve("below"))) {
            assertThatThrownBy(() -> FileLeaseStore.create(place))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(file.toString());
        }
        assertThat(file).hasContent("precious");
    }

    @Test
    void directoryWithOtherFilesIsRefused() throws Exception {
        Path other = Files.createDirectories(root.resolve("other"));
        Files.writeString(other.resolve("letter.txt"), "dear");
        assertThatThrownBy(() -> FileLeaseStore.create(other))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("not empty and not a Leasehold store");
        try (var files = Files.list(other)) {
            assertThat(files).as("no file was created in it").hasSize(1);
        }
    }

    @Test
    void storeThatLostItsMarkerIsRefused() throws Exception {
        Files.delete(home.resolve("leasehold-store"));
        assertThatThrownBy(() -> FileLeaseStore.create(home))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("leasehold-store is missing");
        assertThat(Files.exists(home.resolve("leasehold-store")))
                .as("no new id")
                .isFalse();
    }

    @Test
    void damagedMarkerIsCorrupt() throws Exception {
        Path marker = home.resolve("leasehold-store");
        for (String text : new String[] {"", "garbage\n", "leasehold file store 1\nid=?\n"}) {
            Files.writeString(marker, text);
            assertThatThrownBy(() -> FileLeaseStore.create(home))
                    .isInstanceOf(StoreCorruptException.class)
                    .hasMessageContaining(marker.toString());
            assertThat(marker).hasContent(text);
        }
    }

    /** Root without its capabilities is treated like any other user. */
    @Test
    @Requires("setpriv")
    void missingPermissionIsNamed() throws Exception {
        Path closed = Files.createDirectories(root.resolve("closed"));
        boolean asRoot = (Integer) Files.getAttribute(root, "unix:uid") == 0;
        String[] prefix = asRoot ? new String[] {"setpriv", "--inh-caps=-all", "--bounding-set=-all"} : new String[0];
        try (ActorProcess actor = ActorProcess.start(prefix)) {
            actor.ask("exec chmod 000 " + closed);
            assertThat(actor.ask("open " + closed))
                    .startsWith("failed StoreUnavailable")
                    .contains("no permission");
            actor.ask("exec chmod 700 " + closed);

            actor.ask("open " + home);
            actor.ask("exec chmod 000 " + state);
            assertThat(actor.ask("acquire job attempt-0002 1000"))
                    .startsWith("failed StoreUnavailable")
                    .contains("no permission");
            actor.ask("exec chmod 600 " + state);
            actor.ask("exec chmod 500 " + home.resolve("leases"));
            assertThat(actor.ask("acquire new attempt-0002 1000"))
                    .startsWith("failed StoreUnavailable")
                    .contains("no permission");
            actor.ask("exec chmod 700 " + home.resolve("leases"));
            assertThat(actor.ask("acquire new attempt-0002 1000")).startsWith("granted");
        }
    }

    private void assertCorruptAndUntouched(Path file) throws IOException {
        byte[] before = Files.readAllBytes(file);
        Path real = file.toRealPath();
        assertThatThrownBy(() -> acquire("attempt-0009"))
                .isInstanceOf(StoreCorruptException.class)
                .hasMessageContaining(real.toString());
        assertThat(renew(Duration.ofSeconds(90))).isInstanceOf(Renewal.Unknown.class);
        assertThat(file).hasBinaryContent(before);
    }

    /**
     * Changes one byte in the body of the copy with this number; copies begin at page boundaries.
     */
    private void damageCopy(int number) throws IOException {
        byte[] bytes = Files.readAllBytes(state);
        byte[] start = ("slot " + number + " ").getBytes(StandardCharsets.US_ASCII);
        for (int at = PAGE; at < bytes.length; at += PAGE) {
            if (Arrays.equals(bytes, at, at + start.length, start, 0, start.length)) {
                bytes[at + 70] ^= 1;
                Files.write(state, bytes);
                return;
            }
        }
        throw new AssertionError("there is no copy number " + number);
    }

    /** Simulates a kill before the copy was durable: no mark says that it was complete. */
    private void removeCompletionMark() throws IOException {
        byte[] bytes = Files.readAllBytes(state);
        assertThat(new String(bytes, COMPLETION_MARK, 6, StandardCharsets.US_ASCII))
                .isEqualTo("done 2");
        Arrays.fill(bytes, COMPLETION_MARK, COMPLETION_MARK + 64, (byte) 0);
        Files.write(state, bytes);
    }

    /** The file without its first page, where each process that opens it writes its name. */
    private byte[] copies() throws IOException {
        byte[] bytes = Files.readAllBytes(state);
        return Arrays.copyOfRange(bytes, PAGE, bytes.length);
    }

    private Acquisition acquire(String attempt) {
        return store.acquire(NAME, AttemptId.of(attempt), Holder.of("test"), Duration.ofSeconds(30));
    }

    private Renewal renew(Duration ttl) {
        return store.renew(List.of(new RenewRequest(grant, ttl))).get(0);
    }
}
