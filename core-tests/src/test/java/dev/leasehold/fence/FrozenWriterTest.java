package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.crash.Actor;
import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.Strace;
import dev.leasehold.internal.HostName;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer that is frozen at the worst moment: inside its step while it holds the lock, or just
 * before it.
 */
public class FrozenWriterTest {
    private static final String GRANT = " lh1,%d,attempt-000%d,store-0001,page ";

    @TempDir
    Path root;

    @Test
    @Requires("strace")
    void lockOfAFrozenWriterIsNotBrokenAndItsOwnerIsNamed() throws Exception {
        Path page = root.resolve("page");
        try (ActorProcess frozen = ActorProcess.start()) {
            frozen.ask("once " + page + GRANT.formatted(5, 5) + "five");
            byte[] before = Files.readAllBytes(page);
            Strace.Call commit = new Strace.Call("fdatasync", "", 1);
            try (Strace trace = Strace.interfere(frozen.ask("thread"), root.resolve("trace"), commit, "STOP")) {
                frozen.send("once " + page + GRANT.formatted(6, 6) + "six");
                awaitFrozen(frozen.pid());

                FencedFile file = FencedFile.at(page).waitingAtMost(Duration.ofMillis(200));
                long asked = System.nanoTime();
                assertThatThrownBy(() -> file.admit(grant(7), Content.of("seven")))
                        .isInstanceOf(TargetUnavailableException.class)
                        .hasCauseInstanceOf(TwoCopyFile.LockedException.class)
                        .hasMessageContaining("process " + frozen.pid())
                        .hasMessageContaining(HostName.get())
                        .hasMessageContaining("token 6 of page")
                        .hasMessageContaining("nothing was written");
                assertThat(Duration.ofNanos(System.nanoTime() - asked))
                        .isBetween(Duration.ofMillis(200), Duration.ofSeconds(8));
                assertThat(page).hasBinaryContent(before);
                try (var files = Files.list(root)) {
                    assertThat(files.filter(f -> f.getFileName().toString().contains("staged")))
                            .as("only the staged content of the frozen writer is left")
                            .hasSize(1);
                }

                frozen.thaw();
                assertThat(frozen.hear()).isEqualTo("Admitted[token=6]");
                assertThat(page).hasContent("six");
                assertThat(file.admit(grant(7), Content.of("seven"))).isInstanceOf(Admission.Admitted.class);
            }
            assertThat(frozen.ask("admit " + page + GRANT.formatted(6, 6) + "late"))
                    .startsWith("Stale");
            assertThat(page).hasContent("seven");
        }
    }

    @Test
    @Requires("strace")
    void writerThatIsKilledWhileFrozenInsideItsStepLeavesNoLock() throws Exception {
        Path page = root.resolve("page");
        try (ActorProcess frozen = ActorProcess.start()) {
            frozen.ask("once " + page + GRANT.formatted(5, 5) + "five");
            Strace.Call commit = new Strace.Call("fdatasync", "", 1);
            try (Strace trace = Strace.interfere(frozen.ask("thread"), root.resolve("trace"), commit, "STOP")) {
                frozen.send("once " + page + GRANT.formatted(6, 6) + "six");
                awaitFrozen(frozen.pid());
                frozen.kill();
            }
            FencedFile file = FencedFile.at(page).waitingAtMost(Duration.ofSeconds(2));
            assertThat(file.raise(grant(7))).isInstanceOf(Admission.Admitted.class);
            assertThat(page).as("decided before the writer died, so completed").hasContent("six");
        }
    }

    /**
     * The same schedule with and without a fence: read, freeze past the ttl, the successor writes,
     * thaw, write.
     */
    @Test
    void zombieIsRefusedByAFenceAndOverwritesWithoutOne() throws Exception {
        assertThat(runZombie("fenced")).isEqualTo("base+B");
        assertThat(runZombie("plain"))
                .as("without a fence the successor's work is lost")
                .isEqualTo("base+A");
    }

    private String runZombie(String mode) throws Exception {
        Path home = Files.createDirectories(root.resolve(mode));
        Path page = home.resolve("page");
        try (ActorProcess a = ActorProcess.start();
                ActorProcess b = ActorProcess.start()) {
            String first = acquire(a, home, "attempt-000a");
            write(mode, a, page, first, "base");
            if (mode.equals("fenced")) {
                a.ask("raise " + page + " " + first);
            }
            String read = a.ask("read " + page);
            a.freeze();
            String second = acquire(b, home, "attempt-000b");
            if (mode.equals("fenced")) {
                b.ask("raise " + page + " " + second);
            }
            write(mode, b, page, second, b.ask("read " + page) + "+B");
            a.thaw();
            String late = write(mode, a, page, first, read + "+A");
            assertThat(late).startsWith(mode.equals("fenced") ? "Stale" : "overwritten");
            return Files.readString(page);
        }
    }

    private static String write(String mode, ActorProcess actor, Path page, String grant, String content)
            throws Exception {
        return mode.equals("fenced")
                ? actor.ask("admit " + page + " " + grant + " " + content)
                : actor.ask("overwrite " + page + " " + content);
    }

    /** Polls like a waiting client. */
    private static String acquire(ActorProcess actor, Path home, String attempt) throws Exception {
        actor.ask("open " + home.resolve("store"));
        for (int i = 0; i < 200; i++) {
            String answer = actor.ask("acquire page " + attempt + " 300");
            if (answer.startsWith("granted ")) {
                return answer.substring(8);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        throw new AssertionError("the lease of a frozen holder was not granted to another client after its ttl");
    }

    private static Grant grant(int token) {
        return Actor.grant(GRANT.formatted(token, token).trim());
    }

    public static void awaitFrozen(long pid) throws Exception {
        Path status = Path.of("/proc/" + pid + "/status");
        for (int i = 0; i < 1000; i++) {
            List<String> lines = Files.readAllLines(status);
            if (lines.stream().anyMatch(line -> line.matches("State:\\s+[Tt].*"))) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        throw new AssertionError("process " + pid + " was not frozen");
    }
}
