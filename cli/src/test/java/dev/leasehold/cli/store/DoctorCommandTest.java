package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.OnlyFromClasses;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.store.FileLeaseStore;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorCommandTest {
    @Test
    void printsTheGradeAndItsEvidence(@TempDir Path scratch) {
        CliRunner.Result result =
                CliRunner.withStore(scratch.resolve("store")).run("doctor", "--ttl", "30s", "--rounds", "100");

        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains("grade: atomic")
                .contains("100 races of 6 clients for one lease: one winner each")
                .contains("clients to create a record: one winner each")
                .contains("read at once by another client")
                .contains("none was lost")
                .contains("tokens survived")
                .contains("with ttl 30s");
        assertThat(result.err()).contains("racing");
    }

    /** Its lease would be held for a minute, and what it had found would be lost. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void anInterruptionRemovesTheScratchNamesAndKeepsTheFindings(String signal, @TempDir Path scratch)
            throws Exception {
        CliRunner cli = CliRunner.withStore(scratch.resolve("store"));
        Process doctor = cli.start("doctor", "--rounds", "1000000");
        try (BufferedReader err = doctor.errorReader(StandardCharsets.UTF_8)) {
            String line = err.readLine();
            while (line != null && !line.contains("to create a record")) {
                line = err.readLine();
            }
            assertThat(line).isNotNull();
            assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(doctor.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            String rest = err.lines().collect(Collectors.joining("\n"));
            String out = doctor.inputReader(StandardCharsets.UTF_8).lines().collect(Collectors.joining("\n"));
            assertThat(doctor.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(doctor.exitValue()).as(rest).isEqualTo(130);
            assertThat(out)
                    .contains("races of 6 clients for one lease: one winner each")
                    .contains("clients to create a record: one winner each")
                    .contains("grade: unknown")
                    .doesNotContain("tokens survived");
            assertThat(rest).contains("interrupted; the findings are about the part until then");
        } finally {
            doctor.destroyForcibly();
        }
        try (FileLeaseStore store = FileLeaseStore.open(scratch.resolve("store"))) {
            assertThat(store.names("", "", 10)).isEmpty();
            assertThat(store.register().keys("", "", 10)).isEmpty();
        }
    }

    /** As homemade locks are: the store checks the version, and writes afterwards. */
    @Test
    @OnlyFromClasses("a store that races is a class of the tests")
    void aStoreWhoseConditionalWritesRaceIsUnsafe(@TempDir Path scratch) throws Exception {
        CliRunner cli = new CliRunner()
                .env("HOME", scratch.toString())
                .env("LEASEHOLD_STORE", RacyStore.SCHEME + scratch.resolve("store"))
                .withDriversAnd(StoreOfTest.classes(scratch, RacyStore.class));
        assertThat(cli.process("store", "init").code()).isZero();

        CliRunner.Result text = cli.process("doctor", "--rounds", "20");
        CliRunner.Result json = cli.process("doctor", "--rounds", "20", "--json");

        assertThat(text.code()).as(text.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(text.out())
                .containsPattern(
                        "  FAULT    in round \\d+, [2-6] of 6 clients were granted the same lease at the same moment")
                .containsPattern("  FAULT    in round \\d+, [2-6] of 6 clients created the same record")
                .containsPattern(
                        "  FAULT    of \\d+ concurrent increments by compare-and-set \\d+ were lost: it is not atomic")
                .contains("  ok       ")
                .endsWith("grade: unsafe - do not use\n")
                .doesNotContain("atomic because");
        assertThat(text.err()).doesNotContain("Exception", "\tat ");
        assertThat(json.code()).as(json.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(json.out()).hasLineCount(1);
        assertThat(JsonText.object(json.out()))
                .containsEntry("grade", "unsafe")
                .extractingByKey("findings", InstanceOfAssertFactories.list(Object.class))
                .extracting(Object::toString)
                .filteredOn(finding -> finding.contains("kind=fault"))
                .anyMatch(finding -> finding.contains("were granted the same lease at the same moment"))
                .anyMatch(finding -> finding.contains("it is not atomic"));
        assertThat(cli.process("status").out())
                .as("what the examination left behind")
                .contains("no leases");
    }
}
