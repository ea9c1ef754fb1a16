package dev.leasehold.cli.leased;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.OnlyFromClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of {@code run} can call {@code leasehold}, also if the PATH does not contain it. */
@OnlyFromClasses("the launcher says where it is")
class ProgramPathTest {
    private static final String PATH = "/usr/bin:/bin";

    @TempDir
    Path directory;

    private Path home;
    private CliRunner cli;

    @BeforeEach
    void putTheLauncherIntoItsOwnDirectory() throws IOException {
        home = Files.createDirectory(directory.toRealPath().resolve("a home"));
        CliRunner.withMissingStore(directory.resolve("store")).script(home);
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("PATH", PATH)
                .in(Files.createDirectory(directory.resolve("elsewhere")));
    }

    @Test
    void theCommandFindsTheProgramAtTheEndOfThePath() {
        cli.launchedFrom(home.resolve("."));
        Result run = cli.process("run", "job", "--", "sh", "-c", "leasehold --version && echo \"$PATH\"");
        Result fenced = cli.process(
                "exec-fenced", "f", "--name", "job", "--token", "1", "--no-check", "--", "sh", "-c", "echo \"$PATH\"");
        Result direct = cli.process("run", "job", "--", "leasehold", "--version");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("leasehold ").endsWith("\n" + PATH + ":" + home + "\n");
        assertThat(fenced.outLine()).as(fenced.err()).isEqualTo(PATH + ":" + home);
        assertThat(direct.out()).as(direct.err()).startsWith("leasehold ");
    }

    @Test
    void anInstalledProgramWins() throws IOException {
        Path installed = Files.createDirectory(directory.resolve("installed"));
        Files.copy(home.resolve("leasehold"), installed.resolve("leasehold"));
        assertThat(installed.resolve("leasehold").toFile().setExecutable(true)).isTrue();
        cli.launchedFrom(home);

        assertThat(pathWith(installed + ":/bin")).isEqualTo(installed + ":/bin");
        assertThat(pathWith("/bin:" + home + ":/usr/bin")).isEqualTo("/bin:" + home + ":/usr/bin");
    }

    @Test
    void nothingIsAddedThatWouldNotWork() throws IOException {
        assertThat(pathWith(PATH)).as("not started by the launcher").isEqualTo(PATH);
        Path split = Files.createDirectory(directory.resolve("with:colon"));
        Files.copy(home.resolve("leasehold"), split.resolve("leasehold"));
        assertThat(split.resolve("leasehold").toFile().setExecutable(true)).isTrue();

        assertThat(cli.launchedFrom(split)
                        .process("run", "job", "--", "sh", "-c", "echo \"$PATH\"")
                        .outLine())
                .isEqualTo(PATH);
        assertThat(cli.launchedFrom(directory.resolve("missing"))
                        .process("run", "job", "--", "sh", "-c", "echo \"$PATH\"")
                        .outLine())
                .isEqualTo(PATH);
    }

    @Test
    void aMissingPathBecomesThatOfTheSystem() {
        cli.launchedFrom(home);
        List<String> found = new ArrayList<>();
        found.add(pathWith(""));
        cli.through("/usr/bin/env", "-u", "PATH");
        found.add(pathWith("ignored"));

        assertThat(found).containsOnly("/bin:/usr/bin:" + home);
    }

    private String pathWith(String path) {
        Result result = cli.env("PATH", path).process("run", "job", "--", "/bin/sh", "-c", "echo \"$PATH\"");
        assertThat(result.code()).as(result.err()).isZero();
        return result.outLine();
    }
}
