package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command whose answer cannot be written does not claim success. */
class LostAnswerTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void holdALease() {
        cli = CliRunner.withStore(directory.resolve("store"));
        assertThat(cli.run("acquire", "c").code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {">/dev/full", ">&-"})
    void aLostTokenIsReportedWithWhatWasChanged(String redirection) {
        Result result = to(redirection, "takeover", "c", "--reason", "r", "--quiet");

        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err())
                .contains("the answer is lost", "the token was raised", "'leasehold status c'")
                .hasLineCount(1);
        assertThat(cli.run("status", "c", "--json").out()).contains("\"token\":2");
    }

    @ParameterizedTest
    @ValueSource(strings = {">/dev/full", ">&-"})
    void aLostTableIsReported(String redirection) {
        for (String command : new String[] {"status", "history c", "--version", "completion bash", "status --watch"}) {
            Result result = to(redirection, command.split(" "));

            assertThat(result.code()).as(command + ": " + result.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(result.err()).contains("the answer is lost").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {">/dev/full", ">&-"})
    void aLostCompletionIsReportedAndMade(String redirection) {
        Map<String, Object> lease =
                JsonText.object(cli.run("acquire", "d", "--json").out());
        String grant = String.valueOf(lease.get("grant"));
        Result json = to(redirection, "done", "monday", "--grant", grant, "--json");
        Result text = to(redirection, "done", "tuesday", "--grant", grant);

        assertThat(json.code()).as(json.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(json.err()).contains("key monday is done", "the answer is lost", "the command itself succeeded");
        assertThat(text.code()).as("it has no answer on stdout: " + text.err()).isZero();
        assertThat(cli.run("work").out()).contains("monday").contains("tuesday");
    }

    @Test
    void aFullDiskAfterSomeOutputIsReportedAndAClosedPipeIsNot() {
        for (int i = 0; i < 60; i++) {
            assertThat(cli.run("acquire", "job-" + i).code()).isZero();
        }
        String file = directory.resolve("answer").toString();
        // The limit on the size of a file stands in for a full disk: a signal that is ignored becomes an error.
        Result full = cli.copy()
                .through("bash", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\" >'" + file + "'", "bash")
                .process("status");
        Result pipe = cli.copy()
                .through("bash", "-c", "\"$@\" | head -1; exit ${PIPESTATUS[0]}", "bash")
                .process("status");

        assertThat(full.code()).as(full.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(full.err()).contains("the answer is lost").hasLineCount(1);
        assertThat(pipe.code()).as(pipe.err()).isZero();
        assertThat(pipe.err()).isEmpty();
    }

    /** The exit code is the answer; the line is for people. */
    @Test
    void anAnswerThatTheExitCodeCarriesIsNotMissed() {
        assertThat(to(">&-", "check", "c", "--token", "1")).isEqualTo(new Result(0, "", ""));
        assertThat(to(">/dev/full", "run", "e", "--", "true")).isEqualTo(new Result(0, "", ""));
        assertThat(to(">/dev/full", "run", "e", "--", "echo", "x").code()).isNotEqualTo(ExitCode.UNAVAILABLE);
    }

    private Result to(String redirection, String... args) {
        return cli.copy()
                .through("bash", "-c", "exec \"$@\" " + redirection, "bash")
                .process(args);
    }
}
