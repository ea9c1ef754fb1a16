package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
