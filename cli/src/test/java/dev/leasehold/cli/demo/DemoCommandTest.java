package dev.leasehold.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    @Test
    void theDemoShowsTheRefusalAndLeavesNothingBehind(@TempDir Path scratch) throws IOException {
        CliRunner.Result result = CliRunner.withMissingStore(scratch.resolve("store"))
                .through("env", "TMPDIR=" + scratch)
                .env("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + scratch)
                .process("demo");

        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .contains("newer work is gone")
                .contains("exit 13, refused")
                .contains("still the newer one");
        assertThat(scratch).isEmptyDirectory();
    }
}
