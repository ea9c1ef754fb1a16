package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownNamesCommandTest {
    private static final Result NOTHING = new Result(0, "", "");

    @TempDir
    Path directory;

    @Test
    void printsTheNamesOfLeasesAndKeys() {
        CliRunner cli = CliRunner.withStore(directory.resolve("store"));
        assertThat(cli.run("run", "nightly", "--key", "2026-01-01", "--", "true")
                        .code())
                .isZero();
        assertThat(cli.run("run", "hourly", "--key", "$(id)", "--", "true").code())
                .isZero();

        assertThat(cli.run("known-names", "leases")).isEqualTo(new Result(0, "hourly\nnightly\n", ""));
        assertThat(cli.run("known-names", "keys").out().lines()).containsExactlyInAnyOrder("$(id)", "2026-01-01");
        assertThat(cli.run("known-names", "jobs")).isEqualTo(NOTHING);
        assertThat(cli.run("help").out()).doesNotContain("known-names");

        assertThat(cli.withDrivers()
                        .process("run", "tick", "--schedule", "@daily", "--", "true")
                        .code())
                .isZero();
        assertThat(cli.run("known-names", "jobs")).isEqualTo(new Result(0, "tick\n", ""));
    }

    @Test
    void aStoreThatIsMissingOrWrongIsNotReported() {
        for (String store : new String[] {"file:" + directory.resolve("none"), "nonsense", "", "file:/dev/null"}) {
            assertThat(new CliRunner().env("LEASEHOLD_STORE", store).run("known-names", "leases"))
                    .as(store)
                    .isEqualTo(NOTHING);
        }
    }

    /** A server that accepts connections and never answers. */
    @Test
    void aStoreThatHangsDelaysTheUserByABoundedTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            long begin = System.nanoTime();
            Result result = new CliRunner()
                    .env("LEASEHOLD_STORE", "http://127.0.0.1:" + silent.getLocalPort())
                    .run("known-names", "leases");

            assertThat(result).isEqualTo(NOTHING);
            assertThat(System.nanoTime() - begin).isLessThan(10_000_000_000L);
        }
    }
}
