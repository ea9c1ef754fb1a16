package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code up --check} refuses what cannot work, and says what will be skipped. */
@Timeout(120)
class UpCheckTest {
    @TempDir
    Path folder;

    private Result check(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("jobs.yaml"), text);
        return CliRunner.withStore(folder.resolve("store")).run("up", "--check", "-f", file.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store: \"foo:bar\"|x|unknown scheme|postgresql",
                "store: nothing|x|no scheme|postgresql",
                "parallel: 1|''|shell|must not be empty",
                "parallel: 1|'  '|shell|must not be empty",
            })
    void whatCannotWorkIsRefused(String line, String shell, String what, String more) throws Exception {
        Result refused = check(line + "\njobs: {a: {schedule: '@daily', shell: \"" + shell + "\"}}\n");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("jobs.yaml", what, more);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void aFileWithoutJobsIsRefused() throws Exception {
        Result refused = check("jobs: {}\n");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("jobs.yaml:1: jobs: ", "no job");
    }

    @Test
    void aPipeIsRefusedAndNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CliRunner cli = CliRunner.withStore(folder.resolve("store"));
        for (Result refused :
                new Result[] {cli.run("up", "--check", "-f", pipe.toString()), cli.run("up", "-f", pipe.toString())}) {
            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains("is not a regular file");
        }
    }

    @Test
    void skipWithACatchUpSaysWhatWillBeSkipped() throws Exception {
        Result warned = check("jobs: {a: {schedule: '@hourly', shell: x, catch-up: 3}}\n");

        assertThat(warned.code()).isZero();
        assertThat(warned.err()).contains("job a", "catch-up 3", "overlap: skip", "overlap: wait");
        assertThat(check("jobs: {a: {schedule: '@hourly', shell: x, catch-up: 3, overlap: wait 12h}}\n")
                        .err())
                .isEmpty();
        assertThat(check("jobs: {a: {schedule: '@hourly', shell: x}}\n").err()).isEmpty();
    }

    @Test
    void aCommandThatIsNotOnThisMachineIsRefused() throws Exception {
        Files.writeString(folder.resolve("plain.sh"), "#!/bin/sh\n");
        Result refused = check("jobs: {a: {schedule: '@daily', command: [no-such-command, x]},"
                + " b: {schedule: '@daily', command: [./plain.sh]}, c: {schedule: '@daily', command: [/no/such]},"
                + " d: {schedule: '@daily', shell: x, directory: elsewhere},"
                + " e: {schedule: '@daily', command: [plain.sh], environment: {PATH: '" + folder + "'}}}\n");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err().lines())
                .containsExactly(
                        "leasehold: jobs.a.command: the command 'no-such-command' was not found on the PATH",
                        "leasehold: jobs.b.command: the command './plain.sh' may not be executed: " + folder
                                + "/plain.sh",
                        "leasehold: jobs.c.command: the command '/no/such' was not found: /no/such",
                        "leasehold: jobs.d.directory: " + folder.resolve("elsewhere")
                                + " is not a directory on this machine",
                        "leasehold: jobs.e.command: the command 'plain.sh' may not be executed: " + folder
                                + "/plain.sh");
        assertThat(folder.resolve("plain.sh").toFile().setExecutable(true)).isTrue();
        assertThat(check("jobs: {b: {schedule: '@daily', command: [./plain.sh]}}\n")
                        .code())
                .isZero();
    }

    /** Nobody notices until something has failed and nobody is told. */
    @Test
    void aHookThatCannotBeRunIsRefused() throws Exception {
        Files.writeString(folder.resolve("plain.sh"), "#!/bin/sh\n");
        Result refused = check("jobs: {a: {schedule: '@daily', shell: x, on-failure: [./tell-slakc.sh],"
                + " on-success: [./plain.sh]}, b: {schedule: '@daily', shell: x, on-failure: [no-such-command]}}\n");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err())
                .contains(
                        "jobs.a.on-failure: the command './tell-slakc.sh' was not found: " + folder + "/tell-slakc.sh")
                .contains("jobs.a.on-success: the command './plain.sh' may not be executed")
                .contains("jobs.b.on-failure: the command 'no-such-command' was not found");
        assertThat(check("jobs: {a: {schedule: '@daily', shell: x, on-failure: [sh, -c, 'true']}}\n")
                        .code())
                .isZero();
    }
}
