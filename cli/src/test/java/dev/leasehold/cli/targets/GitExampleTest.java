package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.testkit.environment.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example in {@code examples/} with shorter pauses. */
@Requires("git")
class GitExampleTest {
    @TempDir
    Path directory;

    @Test
    void aLatePushLandsWithoutAFenceAndIsRefusedWithOne() throws Exception {
        Path example = Path.of(System.getProperty("leasehold.root"), "examples", "two-agents-one-repository.sh");
        ProcessBuilder builder = new ProcessBuilder(example.toString()).redirectErrorStream(true);
        builder.environment().put("LEASEHOLD", new CliRunner().script(directory).toString());
        builder.environment().put("TMPDIR", directory.toString());
        // The second run waits until the lease of the first has ended, so it need not start late.
        builder.environment().put("APART", "0.2");
        builder.environment().put("TTL", "3s");
        Path log = directory.resolve("log");
        Process process = builder.redirectOutput(log.toFile()).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
        }
        String output = Files.readString(log, StandardCharsets.UTF_8);

        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output)
                .containsSubsequence(
                        "exit 0",
                        "edition 1, by run A",
                        "edition 2, by run B",
                        "The page says: edition 1",
                        "exit 13",
                        "token 1 of site is stale: the target has seen token 2",
                        "edition 2, by run B",
                        "The page says: edition 2",
                        "raised=2",
                        "raised=1");
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("leasehold", "log");
        }
    }
}
