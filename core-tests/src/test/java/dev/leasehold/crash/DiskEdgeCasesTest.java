package dev.leasehold.crash;

import static dev.leasehold.crash.DurabilityOrderTest.call;
import static dev.leasehold.crash.DurabilityOrderTest.inOrder;
import static dev.leasehold.crash.DurabilityOrderTest.sync;
import static dev.leasehold.crash.DurabilityOrderTest.traced;
import static dev.leasehold.crash.DurabilityOrderTest.write;
import static dev.leasehold.fence.FencedFileKillTest.grant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regression tests for faults of the file store and of fenced files that were found and fixed. */
class DiskEdgeCasesTest {
    @TempDir
    Path root;

    FileLeaseStore store() {
        return FileLeaseStore.create(root.resolve("store"));
    }

    static final LeaseName JOB = LeaseName.of("job");

    Acquisition acquire(LeaseStore store, String attempt) {
        return store.acquire(JOB, AttemptId.of(attempt), Holder.of("h"), Duration.ofSeconds(30));
    }

    @Test
    void takeoverOfANewNameSucceeds() {
        for (LeaseStore store : List.of(store(), new MemoryLeaseStore())) {
            assertThat(store.intervene(Intervention.takeover(
                            JOB, AttemptId.of("attempt-1"), Holder.of("h"), Duration.ofSeconds(3), Note.of("n"))))
                    .isInstanceOf(Acquisition.Granted.class);
        }
    }

    @Test
    void longNamesThatHashAlikeHaveTheirOwnFences() throws Exception {
        Path a = root.resolve("x".repeat(200) + "Aa"), b = root.resolve("x".repeat(200) + "BB");
        assertThat(FencedFile.at(a).admit(grant(5), Content.of("a"))).isInstanceOf(Admission.Admitted.class);
        assertThat(FencedFile.at(b).admit(grant(4), Content.of("b"))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void longNonAsciiNamesCanBeFenced() throws Exception {
        Path a = root.resolve("\u00e4".repeat(127));
        assertThat(FencedFile.at(a).admit(grant(5), Content.of("a"))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void binaryGarbageInAGrantIsReportedAsDamage() throws Exception {
        LeaseStore store = store();
        acquire(store, "attempt-1");
        Files.write(root.resolve("store/leases/n-job/g-00000000000000000001"), new byte[] {-1, -2, -3, 10});
        assertThatThrownBy(() -> acquire(store, "attempt-2"))
                .isInstanceOf(StoreCorruptException.class)
                .hasMessageContaining("g-00000000000000000001");
    }

    @Test
    void binaryGarbageInTheMarkerIsReportedAsDamage() throws Exception {
        store();
        Files.write(root.resolve("store/leasehold-store"), new byte[] {-1, -2, -3, 10});
        assertThatThrownBy(this::store).isInstanceOf(StoreCorruptException.class);
    }

    @Test
    void unknownFileAmongTheGrantsIsReported() throws Exception {
        LeaseStore store = store();
        acquire(store, "attempt-1");
        Files.writeString(root.resolve("store/leases/n-job/g-9999999999999999999x"), "");
        assertThatThrownBy(() -> acquire(store, "attempt-2")).isInstanceOf(StoreCorruptException.class);
    }

    @Test
    void repairDoesWhatItsMessageSays() throws Exception {
        LeaseStore store = store();
        Grant grant = ((Acquisition.Granted) acquire(store, "attempt-1")).grant();
        store.renew(List.of(new RenewRequest(grant, Duration.ofSeconds(60))));
        Files.delete(root.resolve("store/leases/n-job/g-00000000000000000001"));
        assertThatThrownBy(() -> acquire(store, "attempt-2"))
                .hasMessageContaining("set it aside with 'leasehold repair");
        Acquisition repaired =
                store.intervene(Intervention.repair(JOB, AttemptId.of("attempt-3"), Holder.of("h"), 10, Note.of("n")));
        assertThat(((Acquisition.Granted) repaired).grant().token().value()).isEqualTo(11);
        assertThat(root.resolve("store/damaged")).isNotEmptyDirectory();
    }

    /** A repair that dies at any call leaves a name that is refused, or one whose token has risen. */
    @Test
    void aRepairThatCannotGoOnLosesNoToken() throws Exception {
        LeaseStore store = store();
        for (int i = 1; i <= 3; i++) {
            store.intervene(Intervention.cancel(JOB, AttemptId.of("attempt-" + i), Holder.of("h"), Note.of("n")));
        }
        Files.writeString(root.resolve("store/leases/n-job/state"), "garbage");
        Files.writeString(root.resolve("store/damaged"), "a file where the directory should be");
        Intervention repair = Intervention.repair(JOB, AttemptId.of("attempt-9"), Holder.of("h"), 1, Note.of("n"));
        assertThatThrownBy(() -> store.intervene(repair)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> acquire(store, "attempt-8")).isInstanceOf(StoreCorruptException.class);

        Files.delete(root.resolve("store/damaged"));
        assertThat(((Acquisition.Granted) store.intervene(repair))
                        .grant()
                        .token()
                        .value())
                .isEqualTo(4);
        assertThat(store.history(JOB, 9)).hasSize(4);
        assertThat(acquire(store, "attempt-7")).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void aRepairSetsUnknownFilesAside() throws Exception {
        LeaseStore store = store();
        acquire(store, "attempt-1");
        Files.writeString(root.resolve("store/leases/n-job/g-9999999999999999999x"), "");
        Intervention repair = Intervention.repair(JOB, AttemptId.of("attempt-9"), Holder.of("h"), 1, Note.of("n"));
        assertThat(((Acquisition.Granted) store.intervene(repair))
                        .grant()
                        .token()
                        .value())
                .isEqualTo(2);
        assertThat(acquire(store, "attempt-2")).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    @Requires("strace")
    void recoveryMakesTheFenceDurableBeforeItActsOnIt() throws Exception {
        Path page = root.resolve("page");
        try (ActorProcess dies = ActorProcess.start();
                ActorProcess recovers = ActorProcess.start()) {
            dies.ask("once " + page + " lh1,1,attempt-0001,,page one");
            killAt(new Strace.Call("fdatasync", "", 1), dies, "once " + page + " lh1,2,attempt-0002,,page two");
            List<Strace.Call> calls = traced(recovers, "state " + page, root.resolve("trace"));
            inOrder(calls, sync("leasehold-fence"), call("rename", "staged"));
        }
    }

    @Test
    @Requires("strace")
    void repeatedRaiseIsDurable() throws Exception {
        Path page = root.resolve("page");
        try (ActorProcess dies = ActorProcess.start();
                ActorProcess again = ActorProcess.start()) {
            dies.ask("once " + page + " lh1,1,attempt-0001,,page one");
            killAt(new Strace.Call("fdatasync", "", 1), dies, "raise " + page + " lh1,2,attempt-0002,,page");
            List<Strace.Call> calls =
                    traced(again, "raise " + page + " lh1,2,attempt-0002,,page", root.resolve("trace"));
            inOrder(calls, sync("leasehold-fence"), write("Admitted"));
        }
    }

    @Test
    @Requires("strace")
    void replayedGrantIsDurable() throws Exception {
        try (ActorProcess dies = ActorProcess.start();
                ActorProcess again = ActorProcess.start()) {
            dies.ask("open " + root.resolve("store"));
            again.ask("open " + root.resolve("store"));
            killAt(new Strace.Call("unlink", "", 2), dies, "acquire job attempt-0001 60000");
            List<Strace.Call> calls = traced(again, "acquire job attempt-0001 60000", root.resolve("trace"));
            inOrder(calls, sync("/n-job>"), write("granted"));
        }
    }

    @Test
    @Requires("strace")
    void stagedStateOfADeadProcessIsRemovedLater() throws Exception {
        try (ActorProcess dies = ActorProcess.start()) {
            dies.ask("open " + root.resolve("store"));
            killAt(new Strace.Call("link", "", 1), dies, "acquire job attempt-0001 60000");
        }
        LeaseStore store = store();
        FileTime twoHoursAgo = FileTime.from(Instant.now().minusSeconds(7200));
        try (var files = Files.list(root.resolve("store/leases/n-job"))) {
            for (Path left : files.toList()) {
                Files.setLastModifiedTime(left, twoHoursAgo);
            }
        }
        Grant grant = ((Acquisition.Granted) acquire(store, "attempt-1")).grant();
        store.release(grant, Duration.ZERO);
        acquire(store, "attempt-2");
        try (var files = Files.list(root.resolve("store/leases/n-job"))) {
            assertThat(files.map(f -> f.getFileName().toString()).filter(n -> n.startsWith("t")))
                    .isEmpty();
        }
    }

    @Test
    void interruptedThreadStillReleases() throws Exception {
        try (Leases leases = Leases.over(store()).build()) {
            Lease lease = leases.tryAcquire("job").lease().orElseThrow();
            Thread.currentThread().interrupt();

            assertThat(lease.release()).containsInstanceOf(Release.Released.class);
            assertThat(Thread.interrupted()).as("the interrupt flag is kept").isTrue();
        }
    }

    @Test
    void modeOfTheFenceFollowsTheArtifact() throws Exception {
        Path page = root.resolve("page");
        FencedFile.at(page).admit(grant(1), Content.of("a"));
        Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("rw-rw----"));
        FencedFile.at(page).admit(grant(2), Content.of("a"));
        assertThat(Files.getPosixFilePermissions(root.resolve(".page.leasehold-fence")))
                .isEqualTo(Files.getPosixFilePermissions(page));
    }

    @Test
    @Requires("setpriv")
    void readerWithoutWritePermissionCanInspect() throws Exception {
        LeaseStore store = store();
        acquire(store, "attempt-1");
        try (ActorProcess actor = ActorProcess.start("setpriv", "--inh-caps=-all", "--bounding-set=-all")) {
            actor.ask("open " + root.resolve("store"));
            actor.ask("exec chmod 444 " + root.resolve("store/leases/n-job/state"));
            assertThat(actor.ask("inspect job")).doesNotStartWith("failed");
        }
    }

    private void killAt(Strace.Call point, ActorProcess actor, String command) throws Exception {
        try (Strace trace = Strace.interfere(actor.ask("thread"), root.resolve("trace-of-killed"), point, "KILL")) {
            actor.send(command);
            actor.awaitDeath();
        }
    }
}
