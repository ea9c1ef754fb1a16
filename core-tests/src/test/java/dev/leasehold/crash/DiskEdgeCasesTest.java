package dev.leasehold.crash;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.net.URL;
import java.net.URLClassLoader;
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
        return FileLeaseStore.open(root.resolve("store"));
    }

    static final LeaseName JOB = LeaseName.of("job");

    Acquisition acquire(LeaseStore s, String a) {
        return s.acquire(JOB, AttemptId.of(a), Holder.of("h"), Duration.ofSeconds(30));
    }

    @Test
    void takeoverOfANewNameSucceeds() {
        for (LeaseStore s : List.of(store(), new MemoryLeaseStore())) {
            assertThat(s.intervene(Intervention.takeover(
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
        LeaseStore s = store();
        acquire(s, "attempt-1");
        Files.write(root.resolve("store/leases/n-job/g-00000000000000000001"), new byte[] {-1, -2, -3, 10});
        assertThatThrownBy(() -> acquire(s, "attempt-2"))
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
        LeaseStore s = store();
        acquire(s, "attempt-1");
        Files.writeString(root.resolve("store/leases/n-job/g-9999999999999999999x"), "");
        assertThatThrownBy(() -> acquire(s, "attempt-2")).isInstanceOf(StoreCorruptException.class);
    }

    @Test
    void repairDoesWhatItsMessageSays() throws Exception {
        LeaseStore s = store();
        Grant g = ((Acquisition.Granted) acquire(s, "attempt-1")).grant();
        s.renew(List.of(new RenewRequest(g, Duration.ofSeconds(60))));
        Files.delete(root.resolve("store/leases/n-job/g-00000000000000000001"));
        assertThatThrownBy(() -> acquire(s, "attempt-2"))
                .hasMessageContaining("remove it")
                .hasMessageContaining("repair");
        Files.delete(root.resolve("store/leases/n-job/state"));
        Files.delete(root.resolve("store/leases/n-job"));
        assertThat(s.intervene(Intervention.repair(JOB, AttemptId.of("attempt-3"), Holder.of("h"), 10, Note.of("n"))))
                .isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    @Requires("strace")
    void recoveryMakesTheFenceDurableBeforeItActsOnIt() throws Exception {
        Path page = root.resolve("page");
        try (ActorProcess dies = ActorProcess.start();
                ActorProcess recovers = ActorProcess.start()) {
            dies.ask("once " + page + " lh1,1,attempt-0001,,page one");
            Strace.Call commit = new Strace.Call("fdatasync", "", 1);
            try (Strace t = Strace.interfere(dies.ask("thread"), root.resolve("t1"), commit, "KILL")) {
                dies.send("once " + page + " lh1,2,attempt-0002,,page two");
                dies.awaitDeath();
            }
            List<Strace.Call> calls = DurabilityOrderTest.traced(recovers, "state " + page, root.resolve("t2"));
            DurabilityOrderTest.inOrder(
                    calls, DurabilityOrderTest.sync("leasehold-fence"), DurabilityOrderTest.call("rename", "staged"));
        }
    }

    @Test
    @Requires("strace")
    void repeatedRaiseIsDurable() throws Exception {
        Path page = root.resolve("page");
        try (ActorProcess dies = ActorProcess.start();
                ActorProcess again = ActorProcess.start()) {
            dies.ask("once " + page + " lh1,1,attempt-0001,,page one");
            Strace.Call commit = new Strace.Call("fdatasync", "", 1);
            try (Strace t = Strace.interfere(dies.ask("thread"), root.resolve("t1"), commit, "KILL")) {
                dies.send("raise " + page + " lh1,2,attempt-0002,,page");
                dies.awaitDeath();
            }
            List<Strace.Call> calls = DurabilityOrderTest.traced(
                    again, "raise " + page + " lh1,2,attempt-0002,,page", root.resolve("t2"));
            DurabilityOrderTest.inOrder(
                    calls, DurabilityOrderTest.sync("leasehold-fence"), DurabilityOrderTest.write("Admitted"));
        }
    }

    @Test
    @Requires("strace")
    void replayedGrantIsDurable() throws Exception {
        try (ActorProcess dies = ActorProcess.start();
                ActorProcess again = ActorProcess.start()) {
            dies.ask("open " + root.resolve("store"));
            again.ask("open " + root.resolve("store"));
            Strace.Call unlink = new Strace.Call("unlink", "", 2);
            try (Strace t = Strace.interfere(dies.ask("thread"), root.resolve("t1"), unlink, "KILL")) {
                dies.send("acquire job attempt-0001 60000");
                dies.awaitDeath();
            }
            List<Strace.Call> calls =
                    DurabilityOrderTest.traced(again, "acquire job attempt-0001 60000", root.resolve("t2"));
            DurabilityOrderTest.inOrder(
                    calls, DurabilityOrderTest.sync("/n-job>"), DurabilityOrderTest.write("granted"));
        }
    }

    @Test
    @Requires("strace")
    void stagedStateOfADeadProcessIsRemovedLater() throws Exception {
        try (ActorProcess dies = ActorProcess.start()) {
            dies.ask("open " + root.resolve("store"));
            try (Strace t =
                    Strace.interfere(dies.ask("thread"), root.resolve("t1"), new Strace.Call("link", "", 1), "KILL")) {
                dies.send("acquire job attempt-0001 60000");
                dies.awaitDeath();
            }
        }
        LeaseStore s = store();
        FileTime twoHoursAgo = FileTime.from(Instant.now().minusSeconds(7200));
        try (var files = Files.list(root.resolve("store/leases/n-job"))) {
            for (Path left : files.toList()) {
                Files.setLastModifiedTime(left, twoHoursAgo);
            }
        }
        Grant g = ((Acquisition.Granted) acquire(s, "attempt-1")).grant();
        s.release(g, Duration.ZERO);
        acquire(s, "attempt-2");
        try (var files = Files.list(root.resolve("store/leases/n-job"))) {
            assertThat(files.map(f -> f.getFileName().toString()).filter(n -> n.startsWith("t")))
                    .isEmpty();
        }
    }

    @Test
    @Requires("perl")
    void secondClassLoaderDoesNotDropTheLock() throws Exception {
        Path file = root.resolve("f");
        TwoCopyFile.create(file, TwoCopyFile.Size.SMALL, "x", root.resolve("tmp"), TwoCopyFile.Preparation.NONE);
        URL core = TwoCopyFile.class.getProtectionDomain().getCodeSource().getLocation();
        try (TwoCopyFile held = TwoCopyFile.open(file, TwoCopyFile.Size.SMALL, "first", Duration.ofSeconds(1));
                URLClassLoader second = new URLClassLoader(new URL[] {core}, ClassLoader.getPlatformClassLoader())) {
            var open = second.loadClass(TwoCopyFile.class.getName())
                    .getMethod(
                            "open",
                            Path.class,
                            second.loadClass(TwoCopyFile.Size.class.getName()),
                            String.class,
                            Duration.class);
            assertThat(lockFromOutside(file)).as("control: locked before").isEqualTo(1);
            assertThatThrownBy(() -> open.invoke(
                    null, file, open.getParameterTypes()[1].getEnumConstants()[0], "second", Duration.ofMillis(50)));
            assertThat(lockFromOutside(file)).as("another process got the lock").isEqualTo(1);
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
    @Requires("unshare")
    void fullDiskLeavesNoStagedFiles() throws Exception {
        Path disk = Files.createDirectories(root.resolve("disk"));
        try (ActorProcess actor = ActorProcess.start("unshare", "--user", "--map-root-user", "--mount")) {
            actor.ask("exec mount -t tmpfs -o size=800k tmpfs " + disk);
            for (int pages = 0; pages < 8; pages++) {
                Path page = disk.resolve("page-" + pages);
                actor.ask("overwrite " + page + " old");
                actor.ask("fill " + disk + "/filler");
                actor.ask("exec truncate -s -" + pages * 4096 + " " + disk + "/filler");
                String answer = actor.ask("once " + page + " lh1,1,attempt-0001,,page new");
                assertThat(actor.ask("exec ls -A " + disk)).as(answer).doesNotContain("staged");
                actor.ask("delete " + disk + "/filler");
            }
        }
    }

    @Test
    @Requires("setpriv")
    void readerWithoutWritePermissionCanInspect() throws Exception {
        LeaseStore s = store();
        acquire(s, "attempt-1");
        try (ActorProcess actor = ActorProcess.start("setpriv", "--inh-caps=-all", "--bounding-set=-all")) {
            actor.ask("open " + root.resolve("store"));
            actor.ask("exec chmod 444 " + root.resolve("store/leases/n-job/state"));
            assertThat(actor.ask("inspect job")).doesNotStartWith("failed");
        }
    }

    /** 0 if another process gets the lock, 1 if not. */
    static int lockFromOutside(Path file) throws Exception {
        Process flock = new ProcessBuilder(
                        "perl",
                        "-e",
                        "use Fcntl; open F,'+<',$ARGV[0]; my $l=pack('s s l! l! i x4', F_WRLCK, 0, 0, 0, 0); exit(fcntl(F, F_SETLK, $l) ? 0 : 1)",
                        file.toString())
                .inheritIO()
                .start();
        return flock.waitFor();
    }
}
