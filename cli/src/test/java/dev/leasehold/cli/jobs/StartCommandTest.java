package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold start}, with two machines that run the job. */
class StartCommandTest {
    @TempDir
    Path folder;

    private CliRunner cli;
    private final List<Process> machines = new ArrayList<>();

    @BeforeEach
    void nameTheStore() {
        cli = CliRunner.withStore(folder.resolve("store")).withDrivers();
    }

    @AfterEach
    void endAll() {
        machines.forEach(Process::destroyForcibly);
    }

    private void up(int number, String shell) throws Exception {
        Path file = Files.writeString(
                folder.resolve("jobs.yaml"),
                "jobs: {nightly: {schedule: '0 3 1 1 *', ttl: 5s, shell: \"" + shell + "\"}}\n");
        ProcessBuilder builder = new ProcessBuilder(cli.commandLine("up", "-f", file.toString()));
        builder.environment().putAll(cli.environment());
        machines.add(builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log-" + number).toFile())
                .start());
    }

    private void awaitJob() throws Exception {
        for (int i = 0; i < 600 && !cli.run("due").out().contains("nightly"); i++) {
            Thread.sleep(100);
        }
    }

    private List<String> effects() throws Exception {
        Path effects = folder.resolve("effects");
        return Files.exists(effects) ? Files.readAllLines(effects) : List.of();
    }

    @Test
    void aStartRunsOnceAndItsOutcomeIsWaitedFor() throws Exception {
        up(1, "echo $LEASEHOLD_KEY >> effects");
        up(2, "echo $LEASEHOLD_KEY >> effects");
        awaitJob();

        Result ran = cli.run("start", "nightly", "--wait", "2m", "--request", "request-1", "--json");
        Result again = cli.run("start", "nightly", "--wait", "2m", "--request", "request-1");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(JsonText.object(ran.out())).containsEntry("state", "ran").containsEntry("again", false);
        assertThat(effects())
                .containsExactly(String.valueOf(JsonText.object(ran.out()).get("key")));
        assertThat(again.code()).isZero();
        assertThat(again.out()).contains("ran");
        assertThat(cli.run("explain", "nightly").out()).contains("1 started");
    }

    /** The machine that runs it is killed in the middle. */
    @Test
    void anotherMachineContinuesAStart() throws Exception {
        up(1, "echo $PPID >> effects; test $LEASEHOLD_ATTEMPT -gt 1 || sleep 100");
        awaitJob();
        assertThat(cli.run("start", "nightly").code()).isZero();
        for (int i = 0; i < 600 && effects().isEmpty(); i++) {
            Thread.sleep(100);
        }
        up(2, "echo $PPID >> effects; test $LEASEHOLD_ATTEMPT -gt 1 || sleep 100");
        machines.get(0).destroyForcibly().waitFor();
        for (int i = 0; i < 1200 && !cli.run("due", "nightly").out().contains("1 ran"); i++) {
            Thread.sleep(100);
        }

        assertThat(cli.run("due", "nightly").out()).contains("1 ran").doesNotContain("failed");
        assertThat(effects()).hasSize(2);
    }

    @Test
    void mistakesAreExplained() throws Exception {
        cli.process("run", "nightly", "--schedule", "* * * * * *", "--", "true");
        Result unknown = cli.run("start", "nigthly");
        assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("this store has no job nigthly", "nightly");
        assertThat(cli.run("start").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("start", "nightly", "--request", "x").err()).contains("attempt id");

        Result late = cli.run("start", "nightly", "--wait", "1s");
        assertThat(late.code()).isEqualTo(ExitCode.TIMEOUT);
        assertThat(late.err()).contains("no outcome after 1s", "leasehold due nightly");

        cli.run("pause", "nightly", "--reason", "moving", "--holder", "bob");
        Result paused = cli.run("start", "nightly");
        assertThat(paused.code()).isEqualTo(ExitCode.FAILED);
        assertThat(paused.err()).contains("paused by bob (moving)", "was not started", "leasehold resume nightly");
    }
}
