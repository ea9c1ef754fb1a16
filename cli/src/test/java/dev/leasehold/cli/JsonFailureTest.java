package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code --json}, a command that fails prints one line of JSON too. */
class JsonFailureTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    private static void assertFailed(Result result, int code, String outcome, String detail) {
        assertThat(result.code()).as(result.err()).isEqualTo(code);
        assertThat(result.out()).hasLineCount(1);
        assertThat(JsonText.object(result.out()))
                .containsOnlyKeys("outcome", "detail")
                .containsEntry("outcome", outcome);
        assertThat((String) JsonText.object(result.out()).get("detail")).contains(detail);
        assertThat(result.err()).startsWith("leasehold: ").contains(detail).hasLineCount(1);
    }

    @Test
    void aMistypedCommandLineIsReported() {
        assertFailed(cli.run("status", "--json", "--wathc"), ExitCode.USAGE, "usage", "did you mean --watch?");
        assertFailed(cli.run("--json", "staus"), ExitCode.USAGE, "usage", "did you mean status?");
        assertFailed(cli.run("cancel", "nigthly", "--reason", "r", "--json"), ExitCode.USAGE, "usage", "no such lease");
        assertFailed(cli.run("up", "--json", "-f", "none.yaml"), ExitCode.USAGE, "usage", "none.yaml");
    }

    @Test
    void aStoreOrTargetThatCannotBeReachedIsReported() {
        String missing = "file:" + directory.resolve("missing");
        String target = directory.resolve("no/such/page").toString();

        assertFailed(
                cli.run("acquire", "job", "--json", "--store", missing),
                ExitCode.UNAVAILABLE,
                "unavailable",
                "no store");
        assertFailed(
                cli.run("write", target, "--name", "job", "--token", "1", "--json"),
                ExitCode.UNAVAILABLE,
                "unavailable",
                "does not exist");
    }

    @Test
    void passwordsAreHidden() {
        Result result = cli.run("status", "--json", "--store", "redis://me:hunter2@127.0.0.1:1/0");

        assertThat(result.code()).isNotZero();
        assertThat(result.out() + result.err()).doesNotContain("hunter2");
        assertThat(JsonText.object(result.out())).containsKey("detail");
    }

    @Test
    void anAnswerThatWasPrintedIsNotFollowedByAnother() throws IOException {
        Path first = Files.writeString(directory.resolve("first"), "x");
        Path folder = Files.createDirectory(directory.resolve("folder"));
        Path second = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        Result result =
                cli.run("raise", first.toString(), second.toString(), "--name", "job", "--token", "1", "--json");

        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.out()).hasLineCount(1).contains("raised");
    }

    @Test
    void onlyAnOptionOfThisProgramCounts() {
        Result result = cli.run("run", "job", "--nope", "--", "echo", "--json");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.out()).isEmpty();
        assertThat(cli.run("status", "--nope").out()).isEmpty();
    }
}
