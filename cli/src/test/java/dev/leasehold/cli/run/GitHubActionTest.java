package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of the GitHub action, as a runner would start it. */
class GitHubActionTest {
    private static final Path ACTION =
            Path.of(System.getProperty("leasehold.root")).resolve("packaging/action");

    @TempDir
    Path directory;

    @Test
    void aStepRunsUnderTheLeaseAndTheStoreIsOnNoCommandLine() throws Exception {
        Path store = directory.resolve("secret-store");
        CliRunner.withStore(store);
        Path output = directory.resolve("output");

        String shown = step(Map.of(
                "LEASEHOLD_STORE",
                "file:" + store,
                "LEASE_NAME",
                "deploy",
                "LEASE_RUN",
                "echo \"token $LEASEHOLD_TOKEN\"\ntr '\\0' ' ' < /proc/$PPID/cmdline",
                "GITHUB_OUTPUT",
                output.toString()));

        assertThat(shown).contains("token 1", "EXIT 0").doesNotContain("secret-store");
        assertThat(output).hasContent("outcome=ran");
    }

    @Test
    void aMissingSecretIsToldAndNothingRuns() throws Exception {
        String shown = step(Map.of("LEASEHOLD_STORE", "", "LEASE_NAME", "deploy", "LEASE_RUN", "echo started"));

        assertThat(shown)
                .contains("::error::the input 'store' is empty", "EXIT 64")
                .doesNotContain("started");
    }

    private String step(Map<String, String> environment) throws Exception {
        Path program = new CliRunner().script(Files.createDirectory(directory.resolve("bin")));
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "\"$0\"; echo EXIT $?", ACTION + "/run-under-lease");
        builder.environment().remove("GITHUB_OUTPUT");
        builder.environment().putAll(environment);
        builder.environment().put("PATH", program.getParent() + ":" + System.getenv("PATH"));
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        try {
            String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return shown;
        } finally {
            process.destroyForcibly();
        }
    }
}
