package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Every command, so that a script can rely on it. */
    @ParameterizedTest
    @MethodSource("commands")
    void aMistakeInAnyCommandLineIsReported(String command) {
        assertFailed(cli.run(command, "--json", "--no-such-option"), ExitCode.USAGE, "usage", "--no-such-option");
        assertFailed(
                cli.run("--json", command, "x", "y", "z", "--no-such-option"),
                ExitCode.USAGE,
                "usage",
                "--no-such-option");
    }

    static Stream<String> commands() {
        return Commands.names().stream();
    }

    /** The store is a directory that does not exist. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "status a",
                "history a",
                "explain a",
                "advise a",
                "acquire a",
                "renew a --token 1",
                "release a --token 1",
                "check a --token 1",
                "progress a --token 1",
                "work",
                "due",
                "health",
                "takeover a --reason r",
                "cancel a --reason r",
                "repair a --above 1 --reason r",
                "forget a --reason r",
                "done k --name a --as-operator --reason r",
                "doctor",
                "doctor --peer",
                "pause a --reason r",
                "resume a --reason r",
                "start a",
                "keys list",
                "serve"
            })
    void aStoreThatDoesNotExistIsReportedByEveryCommand(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.addAll(1, List.of("--json", "--store", "file:" + directory.resolve("missing")));
        Result result = cli.run(words.toArray(String[]::new));

        assertThat(result.code()).as(line + ": " + result.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.out()).as(line + ": " + result.err()).hasLineCount(1);
        assertThat(JsonText.object(result.out())).containsEntry("outcome", "unavailable");
    }

    /** For these too, the exit code is not the only answer. */
    @Test
    void anOutcomeThatIsNoErrorIsReported() {
        assertThat(cli.run("acquire", "billing").code()).isZero();
        Result unknown = cli.run("health", "--job", "nightly", "--json");
        assertThat(unknown.code()).isEqualTo(ExitCode.FAILED);
        assertThat(JsonText.object(unknown.out())).containsEntry("outcome", "failed");

        cli.run("once", "mail-7", "--name", "billing", "--token", "1", "--", "false");
        Result busy = cli.run("settle", "mail-7", "--name", "billing", "--made", "--reason", "r", "--json");
        assertThat(busy.code()).as(busy.err()).isEqualTo(ExitCode.BUSY);
        assertThat(JsonText.object(busy.out())).containsEntry("outcome", "busy");
        assertThat(busy.out()).contains("settle the operation when its run has ended");
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
