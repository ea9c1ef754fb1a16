package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a separate process can show: exit codes, pipes, users, the environment. */
class ProcessTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    @Test
    void exitCodesReachTheShell() {
        Path file = directory.resolve("f");

        assertThat(cli.process("acquire", "job")).isEqualTo(new Result(0, "1\n", ""));
        assertThat(cli.process("acquire", "job").code()).isEqualTo(ExitCode.BUSY);
        assertThat(cli.process("release", "job", "--token", "9").code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(cli.process("takeover", "job", "--reason", "stuck", "--guard", file.toString())
                        .code())
                .isZero();
        assertThat(cli.stdin("x")
                        .process("write", file.toString(), "--name", "job", "--token", "1")
                        .code())
                .isEqualTo(ExitCode.STALE);
        assertThat(cli.process("release", "job", "--token", "nine").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.process("status", "--store", "file:/dev/null").code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void theDefaultStoreIsUnderTheStateDirectoryOfTheUser() {
        CliRunner plain = new CliRunner().env("HOME", directory.toString());

        assertThat(plain.process("acquire", "a").code()).isZero();
        assertThat(directory.resolve(".local/state/leasehold/leasehold-store")).exists();
        plain.env("XDG_STATE_HOME", directory.resolve("state").toString());
        assertThat(plain.process("acquire", "a").code()).isZero();
        assertThat(directory.resolve("state/leasehold/leasehold-store")).exists();
        assertThat(plain.env("XDG_STATE_HOME", "relative").process("status").out())
                .contains("held");
    }

    @Test
    void aRelativeStoreIsUnderTheWorkingDirectory() {
        CliRunner relative =
                new CliRunner().env("LEASEHOLD_STORE", "file:leases").in(directory);

        assertThat(relative.process("store", "init").code()).isZero();
        assertThat(directory.resolve("leases/leasehold-store")).exists();
        assertThat(relative.process("acquire", "a").code()).isZero();
    }

    @Test
    void aClosedPipeIsNotAnError() throws Exception {
        for (int i = 0; i < 30; i++) {
            cli.run("acquire", "job-" + i);
        }
        Result result = throughBash("status | head -1; exit ${PIPESTATUS[0]}");

        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        assertThat(result.out()).startsWith("NAME").hasLineCount(1);
    }

    @Test
    void watchingEndsWhenThePipeIsClosed() throws Exception {
        cli.run("acquire", "job");
        Result result = throughBash("status --watch | head -4; exit ${PIPESTATUS[0]}");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().filter(line -> line.startsWith("NAME"))).hasSize(2);
    }

    @Test
    void watchingShowsChanges() throws Exception {
        cli.run("acquire", "job", "--holder", "first");
        Process watching = cli.start("status", "job", "--watch", "--json");
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(watching.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(JsonText.object(out.readLine())).containsEntry("holder", "first");
            cli.run("takeover", "job", "--reason", "r", "--holder", "second");
            assertThat(JsonText.object(out.readLine())).containsEntry("holder", "second");
        } finally {
            watching.destroy();
            assertThat(watching.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aLeaseWhoseTokenCannotBePrintedIsReleased() throws Exception {
        Result result = throughBash("acquire job >&-");

        assertThat(result.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err()).contains("stdout is closed", "was released").hasLineCount(1);
        assertThat(cli.run("acquire", "job").outLine()).isEqualTo("2");
    }

    @Test
    @Requires("setpriv")
    void aTargetWithoutPermissionIsNotCalledStale() throws Exception {
        Path classes = openCopyOfTheProgram();
        Path locked = Files.createDirectory(directory.resolve("locked"));
        Path file = Files.writeString(locked.resolve("f"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
        CliRunner nobody = asOrdinaryUser().env("LEASEHOLD_STORE", "file:" + locked.resolve("store"));
        try {
            Result write = nobody.stdin("new")
                    .from(classes)
                    .process("write", file.toString(), "--name", "job", "--token", "1");
            Result init = nobody.process("store", "init");

            assertThat(write.code()).as(write.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(write.err()).contains("no permission").hasLineCount(1);
            assertThat(file).hasContent("old");
            assertThat(init.code()).as(init.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(init.err()).contains("no permission").hasLineCount(1);
            assertThat(locked.toFile().list()).containsExactly("f");
        } finally {
            Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    @Requires("unshare")
    void commandsThatReadWorkOnAFullAndOnAReadOnlyDisk() throws IOException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        String read = "for c in status 'status job' 'history job' 'explain job' 'advise job' 'explain other' work; do"
                + " \"$@\" $c >/dev/null || echo \"$c failed\"; done;";
        String script = "set -e; mount -t tmpfs -o size=2m tmpfs " + disk
                + "; \"$@\" store init >/dev/null; \"$@\" run job --key day -- true;"
                + " cat /dev/zero > " + disk.resolve("filler") + " 2>/dev/null || true;"
                + " \"$@\" acquire other && exit 1; " + read
                + " mount -o remount,ro " + disk + "; " + read;
        Result result = new CliRunner()
                .withDrivers()
                .env("LEASEHOLD_STORE", "file:" + disk.resolve("store"))
                .through("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh")
                .process();

        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("is full; free some space").hasLineCount(1);
    }

    @Test
    @Requires("setpriv")
    void commandsThatReadNeedNoPermissionToWrite() throws Exception {
        Path classes = openCopyOfTheProgram();
        Path store = directory.resolve("store");
        CliRunner owner = CliRunner.withStore(store);
        assertThat(owner.run("run", "job", "--key", "day", "--", "true").code()).isZero();
        Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("r-xr-xr-x"));
        CliRunner nobody =
                asOrdinaryUser().env("LEASEHOLD_STORE", "file:" + store).from(classes);
        for (String command : List.of("status", "status job", "history job", "advise job", "work", "work day")) {
            Result result = nobody.process(command.split(" "));

            assertThat(result.code()).as(command + ": " + result.err()).isZero();
            assertThat(result.err()).as(command).isEmpty();
        }
        assertThat(nobody.process("acquire", "job").err()).contains("no permission");
        for (String command : List.of("cancel job", "takeover job", "repair job --above 7")) {
            Result refused = nobody.process((command + " --reason r").split(" "));

            assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err())
                    .contains("nothing was changed", "no permission")
                    .doesNotContain("unknown");
        }
        assertThat(owner.run("history", "job").out().lines()).hasSize(2);
    }

    /** Permissions do not restrict root, so root runs the process as another user. */
    private static CliRunner asOrdinaryUser() {
        CliRunner runner = new CliRunner();
        return System.getProperty("user.name").equals("root")
                ? runner.through("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
                : runner;
    }

    /** An ordinary user may not be allowed to read the classes where they are. */
    private Path openCopyOfTheProgram() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path copy = Files.createDirectory(directory.resolve("classes"));
        CliRunner.copyProgram(copy);
        return copy;
    }

    private Result throughBash(String commandLine) throws IOException, InterruptedException {
        Path script = cli.script(directory);
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "\"$0\" " + commandLine, script.toString());
        builder.environment().putAll(cli.environment());
        Process process = builder.start();
        process.getOutputStream().close();
        String err;
        String out;
        try {
            out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), out, err);
    }
}
