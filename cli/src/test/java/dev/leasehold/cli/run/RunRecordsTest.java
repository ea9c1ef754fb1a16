package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every run is in {@code explain}, whatever became of it, with the command and who called it. */
class RunRecordsTest {
    @TempDir
    Path scratch;

    private CliRunner cli;

    @BeforeEach
    void setUp() {
        cli = CliRunner.withStore(scratch.resolve("store")).in(scratch);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> newest() {
        Map<String, Object> explained =
                JsonText.object(cli.run("explain", "job", "--json").out());
        return ((List<Map<String, Object>>) explained.get("runs")).get(0);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> counters() {
        return (Map<String, Object>)
                JsonText.object(cli.run("explain", "job", "--json").out()).get("counters");
    }

    @Test
    void theCommandItsUserHostAndDirectoryAreRecorded() {
        cli.env("SUDO_USER", "alice").process("run", "job", "--", "sh", "-c", "echo 'two words'; exit 3");

        assertThat(newest())
                .containsEntry("kind", "failed")
                .containsEntry("command", "sh -c echo 'two words'; exit 3")
                .containsEntry("user", "alice")
                .containsEntry("directory", scratch.toString())
                .containsEntry("detail", "exit 3")
                .containsKey("host");
        assertThat(cli.run("explain", "job").out()).contains("alice", "sh -c echo 'two words'; exit 3");
    }

    @Test
    void passwordsAreNotRecorded() {
        cli.process(
                "run",
                "job",
                "--",
                "true",
                "postgresql://me:s3cret@host/db",
                "--password",
                "s3cret",
                "--api-token=s3cret",
                "PGPASSWORD=s3cret psql -c x",
                "-u",
                "me:s3cret",
                "-x");

        assertThat((String) newest().get("command"))
                .doesNotContain("s3cret")
                .contains(
                        "postgresql://me:***@host/db",
                        "--password ***",
                        "--api-token=***",
                        "PGPASSWORD=*** psql",
                        "-x");
    }

    @Test
    void aLongCommandIsCut() {
        cli.process("run", "job", "--", "true", "x".repeat(5000), "caf\u00e9");
        assertThat((String) newest().get("command")).startsWith("true xxx").hasSizeBetween(200, 205);
    }

    @Test
    void aTargetThatCannotBeReachedIsRecorded() {
        Result refused = cli.process(
                "run", "job", "--guard", "file:" + scratch.resolve("no/such/page"), "--", "touch", "started");

        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(scratch.resolve("started")).doesNotExist();
        assertThat(newest()).containsEntry("kind", "target_unavailable").containsEntry("token", 1L);
    }

    @Test
    void aGuardOfAnotherLeaseIsRecorded() {
        cli.run("acquire", "other");
        cli.stdin("x").run("write", scratch.resolve("page").toString(), "--name", "other", "--token", "1");
        Result refused =
                cli.process("run", "job", "--guard", scratch.resolve("page").toString(), "--", "true");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(newest()).containsEntry("kind", "target_refused");
    }

    @Test
    void theReportOfAnEarlierRunIsRemovedWhenARunStarts() throws IOException {
        Path report = Files.writeString(scratch.resolve("r.json"), "old");
        Result found = cli.process(
                "run", "job", "--report", report.toString(), "--", "sh", "-c", "test -e r.json && echo found");

        assertThat(found.out()).isEmpty();
        assertThat(JsonText.object(Files.readString(report))).containsEntry("commandExit", 1L);
        cli.process("run", "job", "--report", report.toString(), "--", "no-such-command");
        assertThat(report).doesNotExist();
    }

    @Test
    void aCommandLineThatCannotWorkLeavesTheReportOfAnEarlierRun() throws IOException {
        Path report = Files.writeString(scratch.resolve("r.json"), "old");
        for (List<String> options : List.of(
                List.of("--take-over"),
                List.of("--reason", "r"),
                List.of("--zone", "UTC"),
                List.of("--schedule", "* * * * *"),
                List.of("--schedule", "never"))) {
            List<String> line = new ArrayList<>(List.of("run", "job", "--report", report.toString()));
            line.addAll(options);
            line.addAll(List.of("--", "true"));

            assertThat(cli.run(line.toArray(String[]::new)).code())
                    .as("%s", options)
                    .isEqualTo(ExitCode.USAGE);
            assertThat(report).hasContent("old");
        }
    }

    @Test
    void aSignalBeforeTheStartIsRecorded() throws Exception {
        cli.run("acquire", "job");
        Process waiting = cli.start("run", "job", "--wait", "60s", "--", "true");
        try {
            Thread.sleep(2500);
            assertThat(new ProcessBuilder("kill", "-s", "TERM", Long.toString(waiting.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(waiting.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(waiting.exitValue()).isEqualTo(143);
        } finally {
            waiting.destroyForcibly();
        }
        assertThat(newest()).containsEntry("kind", "interrupted");
    }

    @Test
    void aCommandThatASignalEndedSaysWhich() {
        cli.process("run", "job", "--", "sh", "-c", "kill -KILL $$");
        assertThat(newest()).containsEntry("kind", "failed").containsEntry("detail", "exit 137 (signal 9)");
    }

    @Test
    void aCommandThatDoesNotExistIsRecorded() {
        assertThat(cli.process("run", "job", "--", "no-such-command").code()).isEqualTo(127);
        assertThat(newest())
                .containsEntry("kind", "not_started")
                .containsEntry("command", "no-such-command")
                .doesNotContainKey("token");
    }

    @Test
    void aRunThatVanishedIsRecordedByTheNext() throws Exception {
        cli.run("acquire", "job", "--ttl", "1s", "--holder", "crashed");
        Thread.sleep(1200);
        cli.process("run", "job", "--", "true");

        assertThat(newest()).containsEntry("kind", "ran").containsEntry("token", 2L);
        String explained = cli.run("explain", "job").out();
        assertThat(explained).contains("expired", "crashed");
        assertThat(counters())
                .containsEntry("expired", 1L)
                .containsEntry("ran", 1L)
                .containsEntry("acquired", 2L);
        cli.process("run", "job", "--", "true");
        assertThat(counters()).containsEntry("expired", 1L).containsEntry("ran", 2L);
    }

    @Test
    void adviceCountsLossesAsExplainDoes() {
        for (int i = 0; i < 2; i++) {
            cli.process("run", "job", "--", "true");
        }
        Map<String, Object> advice =
                JsonText.object(cli.run("advise", "job", "--json").out());
        assertThat(advice).containsEntry("runs", 2L).containsEntry("lost", 0L);
        assertThat(counters()).containsEntry("ran", 2L);
    }
}
