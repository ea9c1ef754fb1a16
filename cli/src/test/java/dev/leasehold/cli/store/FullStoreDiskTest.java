package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The disk of a store is full: the message of the command names that. */
@Requires("unshare")
@Timeout(300)
class FullStoreDiskTest {
    private static final int MANY = 2000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"file:", "sqlite:"})
    void aFullDiskIsNamed(String kind) throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        String script = "mount -t tmpfs -o size=1m tmpfs " + disk + " && \"$@\" store init > /dev/null;"
                + " cat /dev/zero > " + disk.resolve("filler") + " 2> /dev/null; exec \"$@\" acquire job";
        Result result = new CliRunner()
                .withDrivers()
                .env("LEASEHOLD_STORE", kind + disk.resolve("store"))
                .through("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh")
                .process();
        Mistake.of(ExitCode.UNAVAILABLE, kind.equals("file:") ? "is full" : "has no space left on its disk", "space")
                .assertExplained(result);
    }

    /** The table has some room left, so the first names get their rows. */
    @Test
    @Requires("mariadbd")
    void aFullDiskOfMariaDbIsNamed() throws Exception {
        try (SmallDiskMariaDb server = new SmallDiskMariaDb(directory)) {
            CliRunner cli = new CliRunner()
                    .withDrivers()
                    .env("HOME", directory.toString())
                    .env("LEASEHOLD_STORE", server.url());
            assertThat(cli.run("store", "init").code()).isZero();
            assertThat(cli.run("acquire", "first", "--ttl", "30m").code()).isZero();
            server.fillDisk();

            Result result = cli.run("acquire", "job-0");
            for (int i = 1; i < MANY && result.code() == 0; i++) {
                result = cli.run("acquire", "job-" + i);
            }

            Mistake.of(ExitCode.UNAVAILABLE, "MariaDB has no space left on its disk", "Make room on the disk")
                    .assertExplained(result);
            assertThat(cli.run("renew", "first", "--token", "1").code()).isZero();
        }
    }
}
