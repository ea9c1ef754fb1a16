package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One damaged record does not hide the others. */
class DamagedRecordTest {
    @TempDir
    Path folder;

    private CliRunner cli;

    @BeforeEach
    void threeOfEach() {
        cli = CliRunner.withStore(folder.resolve("store"));
        three();
    }

    private void three() {
        for (String name : List.of("alpha", "beta", "gamma")) {
            String grant = (String)
                    JsonText.object(cli.run("acquire", name, "--json").out()).get("grant");
            cli.run("done", "key-" + name, "--grant", grant);
        }
    }

    private void damage(String part) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains(part))
                    .toList()) {
                Files.writeString(file, "damaged");
            }
        }
    }

    @Test
    void aDamagedLeaseIsNamedAndTheOthersAreShown() throws IOException {
        damage("/n-beta/");
        Result status = cli.run("status");

        assertThat(status.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(status.out()).contains("alpha", "gamma").doesNotContain("beta");
        assertThat(status.err()).contains("lease beta is damaged").containsAnyOf("backup", "repair");
        assertThat(cli.run("status", "--json").out().lines()).hasSize(2);
        assertThat(cli.run("status", "alpha").code()).isZero();
        assertThat(cli.run("takeover", "gama", "--reason", "r").err()).contains("did you mean gamma?");
    }

    /** Replaces records by what cannot be one. */
    private void replace(String part, boolean pipe) throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains(part))
                    .toList()) {
                Files.delete(file);
                if (pipe) {
                    assertThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                } else {
                    Files.createDirectory(file);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void aDirectoryOrPipeInPlaceOfARecordDoesNotHideTheOthers(boolean pipe) throws Exception {
        for (String job : List.of("tick", "tock")) {
            cli.withDrivers().process("run", job, "--schedule", "* * * * * *", "--", "true");
        }
        for (String part : List.of("/n-beta/state", "work%23beta", "work%7ebeta", "slots%2ftick", "runs%2ftick")) {
            replace(part, pipe);
        }
        Result status = cli.process("status");
        Result work = cli.process("work");
        Result due = cli.process("due");
        Result explained = cli.process("explain", "tick");

        assertThat(status.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(status.out()).contains("alpha", "gamma", "tick");
        assertThat(status.err()).contains("lease beta is damaged", "is not a regular file");
        assertThat(work.out()).contains("key-alpha", "key-gamma");
        assertThat(due.out()).contains("tock");
        assertThat(due.err()).contains("job tick is damaged", "is not a regular file");
        assertThat(explained.out()).contains("tick is free");
        assertThat(explained.err()).contains("not everything can be shown");
        assertThat(cli.process("acquire", "beta").code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(cli.process("acquire", "delta").code()).isZero();
    }

    @Test
    void theWayOutOfADamagedLeaseIsRepair() throws IOException {
        cli.run("cancel", "beta", "--reason", "r");
        damage("/n-beta/");
        Result refused = cli.run("run", "beta", "--", "true");
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("leasehold repair NAME --above N");
        Result repair = cli.run("repair", "beta", "--above", "1", "--reason", "a bad disk");

        assertThat(repair.code()).as(repair.err()).isZero();
        assertThat(repair.err()).contains("set aside");
        // The names of the files show token 2, although the operator knew only of 1.
        assertThat(cli.run("acquire", "beta").outLine()).isEqualTo("4");
        assertThat(cli.run("status").code()).isZero();
        assertThat(folder.resolve("store/damaged")).isNotEmptyDirectory();
        assertThat(cli.run("takeover", "beta", "--reason", "r").code()).isZero();
    }

    /** The operator needs the targets to find the highest token. */
    @Test
    void explainShowsTheTargetsOfADamagedLease() throws IOException {
        Path file = folder.resolve("page");
        cli.stdin("x").run("write", file.toString(), "--name", "beta", "--token", "1");
        damage("/n-beta/");
        Result explain = cli.run("explain", "beta");
        assertThat(explain.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(explain.out()).contains("cannot be read", file + ": raised to token 1");
        assertThat(explain.err()).contains("leasehold repair NAME --above N");
    }

    @Test
    void aDamagedLeaseIsNotTakenOver() throws IOException {
        damage("/n-beta/");
        assertThat(cli.run("takeover", "beta", "--reason", "r").code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(folder.resolve("store/damaged")).doesNotExist();
    }

    @Test
    void aDamagedWorkItemIsNamedAndTheOthersAreShown() throws IOException {
        damage("work%23beta");
        Result work = cli.run("work");

        assertThat(work.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(work.out()).contains("key-alpha", "key-gamma").doesNotContain("key-beta");
        assertThat(work.err()).contains("work item", "beta", "is damaged");
        assertThat(cli.run("work", "key-alpha", "--name", "alpha").code()).isZero();
    }

    @Test
    void aDamagedJobIsNamedAndTheOthersAreShown() throws IOException {
        for (String job : List.of("tick", "tock")) {
            cli.withDrivers().process("run", job, "--schedule", "* * * * * *", "--", "true");
        }
        damage("slots%2ftick");
        Result due = cli.run("due");

        assertThat(due.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(due.out()).contains("tock").doesNotContain("tick");
        assertThat(due.err()).contains("job tick is damaged");
    }

    @Test
    void theDoctorFindsThem() throws IOException {
        assertThat(cli.run("doctor", "--rounds", "20").code()).isZero();
        cli.process("run", "logged", "--", "true");
        damage("/n-beta/");
        damage("work%23gamma");
        damage("runs%2flogged");
        Result examined = cli.run("doctor", "--rounds", "20");

        assertThat(examined.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(examined.err())
                .contains("lease beta is damaged", "work item", "gamma", "the log of the runs of logged is damaged");
    }

    @Test
    void aDamagedRowOfADatabaseIsNamedToo() throws Exception {
        Path file = folder.resolve("leases.db");
        cli = new CliRunner().withDrivers().env("LEASEHOLD_STORE", "sqlite:" + file);
        cli.run("store", "init");
        three();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("update leasehold_lease set token = -1 where name = 'beta'"))
                    .isEqualTo(1);
        }
        Result status = cli.run("status");

        assertThat(status.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(status.out()).contains("alpha", "gamma").doesNotContain("beta");
        assertThat(status.err()).contains("lease beta is damaged");
    }
}
