package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After {@code kill -9} of a run, its supervisor gives the lease back once the command is dead. */
@Timeout(120)
class KilledRunTest {
    private static final String STUBBORN = "trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done";

    @TempDir
    Path scratch;

    private final List<Process> started = new ArrayList<>();
    private CliRunner cli;

    @BeforeEach
    void setUp() {
        cli = CliRunner.withStore(scratch.resolve("store")).in(scratch);
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process run(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "job", "--ttl", "10m", "--grace", "1s"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "bash", "-c", STUBBORN));
        Process run = cli.start(words.toArray(String[]::new));
        started.add(run);
        eventually(
                "the command runs",
                () -> Files.exists(scratch.resolve("pid"))
                        && Files.readString(scratch.resolve("pid")).endsWith("\n"));
        return run;
    }

    private long pid() throws IOException {
        return Long.parseLong(Files.readString(scratch.resolve("pid")).strip());
    }

    private static boolean alive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return !stat.contains(") Z ");
        } catch (IOException e) {
            return false;
        }
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static void eventually(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("time to wait until " + what).isLessThan(end);
            Thread.sleep(10);
        }
    }

    private void eventuallyGivenBackAfterTheCommandDied() throws Exception {
        long pid = pid();
        eventually("the lease is free", () -> {
            boolean alive = alive(pid);
            boolean free = cli.run("status", "job").out().contains("released");
            assertThat(free && alive).as("given back while the command lives").isFalse();
            return free;
        });
    }

    @Test
    void aRetryRunsAtOnce() throws Exception {
        Process run = run();
        signal("KILL", run.pid());
        eventuallyGivenBackAfterTheCommandDied();

        Result retry = cli.process("run", "job", "--", "echo", "ran");
        assertThat(retry.outLine()).isEqualTo("ran");
        assertThat(cli.run("history", "job").out()).contains("released");
        assertThat(cli.run("explain", "job").out()).contains("killed", "1 killed");
    }

    @Test
    void aLeaseInAPinnedStoreIsGivenBackToo() throws Exception {
        cli.env("LEASEHOLD_STORE", cli.run("store", "init").outLine());
        assertThat(cli.environment().get("LEASEHOLD_STORE")).contains("?id=");
        Process run = run();
        signal("KILL", run.pid());
        eventuallyGivenBackAfterTheCommandDied();
    }

    @Test
    void aFrozenRunThatIsKilledGivesItsLeaseBackToo() throws Exception {
        Process run = run();
        signal("STOP", run.pid());
        signal("STOP", pid());
        Thread.sleep(500);
        assertThat(alive(pid())).isTrue();
        signal("KILL", run.pid());
        eventuallyGivenBackAfterTheCommandDied();
    }

    @Test
    void theWatcherDoesItIfTheSupervisorIsKilledToo() throws Exception {
        Process run = run();
        long supervisor =
                ProcessHandle.of(pid()).orElseThrow().parent().orElseThrow().pid();
        signal("KILL", supervisor);
        signal("KILL", run.pid());
        eventuallyGivenBackAfterTheCommandDied();
    }

    @Test
    void theMinimumHoldIsKept() throws Exception {
        Process run = run("--min-hold", "1h");
        signal("KILL", run.pid());
        eventually(
                "the lease is given back", () -> cli.run("status", "job").out().contains("resting"));
    }

    @Test
    void aLeaseThatSomebodyElseHoldsByThenIsLeftAlone() throws Exception {
        Process run = run();
        signal("STOP", run.pid());
        cli.run("takeover", "job", "--reason", "frozen", "--ttl", "1h");
        signal("KILL", run.pid());
        long pid = pid();
        eventually("the command is dead", () -> !alive(pid));
        Thread.sleep(3000);
        assertThat(cli.run("check", "job", "--token", "2").code()).isZero();
        assertThat(cli.run("explain", "job").out()).doesNotContain("killed;");
    }

    @Test
    void theCommandSeesNothingOfIt() throws Exception {
        assertThat(cli.process("run", "job", "--", "env").out()).doesNotContain("SUPERVISOR", "GiveBack");
    }
}
