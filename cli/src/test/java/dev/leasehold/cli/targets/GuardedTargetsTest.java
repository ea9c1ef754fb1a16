package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A guard that would protect nothing is refused or reported. */
@Requires("git")
class GuardedTargetsTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path work;
    private String leasehold;

    @BeforeEach
    void aRepositoryWithARemote() throws Exception {
        work = Files.createDirectory(directory.resolve("work"));
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("PATH", System.getenv("PATH"))
                .env("HOME", directory.toString())
                .env("GIT_CONFIG_NOSYSTEM", "1")
                .in(work);
        leasehold = cli.script(directory).toString();
        git("init", "--quiet", "--bare", directory.resolve("target.git").toString());
        git("init", "--quiet");
        git("remote", "add", "origin", directory.resolve("target.git").toString());
    }

    private void git(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(work.toFile()).inheritIO();
        builder.environment().putAll(cli.environment());
        assertThat(builder.start().waitFor()).as("%s", line).isZero();
    }

    private Result run(String... options) {
        List<String> line = new ArrayList<>(List.of("run", "job"));
        line.addAll(List.of(options));
        return cli.process(line.toArray(String[]::new));
    }

    private void assertRefused(Result result, String... words) {
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains(words).hasLineCount(1);
        assertThat(work.toFile().list()).as("no fence is left").containsExactly(".git");
        assertThat(directory.toFile().list()).noneMatch(name -> name.endsWith("-fence"));
        assertThat(cli.run("history", "job").out()).as("nothing was acquired").contains("never held");
    }

    @Test
    void aMisspelledRemoteIsRefusedByEveryCommandThatTakesTargets() {
        String nearest = "did you mean origin?";
        assertRefused(run("--guard", "orign", "--", "true"), "'orign'", nearest, "file:orign");
        assertRefused(cli.process("raise", "orign", "--name", "job", "--token", "1"), nearest);
        assertRefused(cli.process("takeover", "job", "--reason", "r", "--guard", "orign"), nearest);
        assertRefused(cli.process("cancel", "job", "--reason", "r", "--guard", "orign"), nearest);
        assertRefused(cli.process("repair", "job", "--above", "3", "--reason", "r", "--guard", "orign"), nearest);
    }

    @Test
    void aMisspelledRepositoryOrDirectoryIsRefused() {
        String place = directory.toString();

        assertRefused(run("--guard", place + "/targt.git", "--", "true"), "did you mean " + place + "/target.git?");
        assertRefused(run("--guard", place + "/no/such/page.html", "--", "true"), "page.html");
        assertRefused(run("--guard", "../targe.git/", "--", "true"), "did you mean ../target.git?");
    }

    @Test
    void aJobFileWithAMisspelledGuardIsRefusedWhenItIsCheckedAndWhenItIsStarted() throws IOException {
        Path jobs = Files.writeString(
                directory.resolve("jobs.yaml"),
                "jobs: {job: {schedule: '0 0 1 1 *', directory: work, guard: [orign], shell: 'true'}}");
        CliRunner up = cli.withDrivers();

        assertRefused(up.process("up", "--check", "-f", jobs.toString()), "job", "guard", "did you mean origin?");
        assertRefused(up.process("up", "-f", jobs.toString()), "job", "guard", "did you mean origin?");
    }

    @Test
    void aFileThatIsYetToBeMadeIsGuardedAndItsUseIsChecked() throws IOException {
        Files.createDirectory(work.resolve("site"));
        Result unused = run("--guard", "site/new.html", "--guard", "file:plain", "--", "touch", "site/new.html");

        assertThat(unused.code()).as(unused.err()).isZero();
        assertThat(unused.err())
                .contains("site/new.html does not exist yet", "plain does not exist yet")
                .contains("site/new.html was guarded, but nothing was written through it: use 'leasehold write'")
                .contains("plain was guarded, but nothing was written through it");
        assertThat(work.resolve(".plain.leasehold-fence")).exists();

        Result used = run(
                "--guard",
                "other.html",
                "--guard",
                "./data",
                "--guard",
                "plain",
                "--",
                "sh",
                "-c",
                "echo x | " + leasehold + " write other.html && echo y | " + leasehold + " write file:plain && "
                        + leasehold + " exec-fenced data -- touch data");

        assertThat(used.code()).as(used.err()).isZero();
        assertThat(used.err())
                .contains("other.html does not exist yet", "data does not exist yet")
                .doesNotContain("plain does not exist", "was guarded, but");
        assertThat(work.resolve("plain")).hasContent("y\n");
        assertThat(run("--guard", "plain", "--", "true").err()).isEmpty();
    }

    @Test
    void aCommandThatFailedIsNotReportedAsUnguarded() {
        Result failed = run("--guard", "new.html", "--", "false");

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).doesNotContain("was guarded, but");
    }
}
