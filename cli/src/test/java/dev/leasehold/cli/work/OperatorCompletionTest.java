package dev.leasehold.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may complete a key: the holder of the whole grant, and an operator openly. */
class OperatorCompletionTest {
    @TempDir
    Path scratch;

    private CliRunner cli;
    private String leasehold;

    @BeforeEach
    void setUp() throws IOException {
        cli = CliRunner.withStore(scratch.resolve("store")).in(scratch);
        leasehold = cli.script(scratch).toString();
    }

    private Map<String, Object> item(String key) {
        return JsonText.object(cli.run("work", key, "--json").out());
    }

    @Test
    void aTokenCopiedFromStatusCompletesNothing() {
        cli.run("acquire", "job");
        Result copied = cli.run("done", "k", "--name", "job", "--token", "1");

        assertThat(copied.code()).isEqualTo(ExitCode.USAGE);
        assertThat(copied.err()).contains("whole grant", "LEASEHOLD_GRANT", "--grant", "--as-operator");
        assertThat(cli.run("done", "k", "--grant", "lh1;1;;;job").code()).isEqualTo(ExitCode.USAGE);
        assertThat(item("k")).containsEntry("state", "unknown");
    }

    @Test
    void anOperatorCompletesAKeyAndTheRunningAttemptIsRefused() {
        Result run = cli.runJob(
                "'" + leasehold
                        + "' done k --name job --as-operator --reason 'made by hand' --result pages --holder ops",
                "--key",
                "k");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.STALE);
        assertThat(run.err()).contains("its key was not completed");
        assertThat(item("k"))
                .containsEntry("state", "done")
                .containsEntry("epoch", 2L)
                .containsEntry("result", "pages")
                .containsEntry("reason", "made by hand");
        assertThat(cli.run("work", "k").out()).contains("completed by an operator: made by hand");
        assertThat(cli.run("explain", "job").out()).contains("done_by_operator", "ops", "made by hand");
        assertThat(cli.runJob("echo again", "--key", "k").out()).isEmpty();
    }

    @Test
    void anOperatorNeedsAKnownKeyANameAndAReason() {
        cli.runJob("exit 1", "--key", "failed");
        for (String[] command : new String[][] {
            {"done", "failed", "--name", "job", "--as-operator"},
            {"done", "failed", "--as-operator", "--reason", "r"},
            {"done", "--name", "job", "--as-operator", "--reason", "r"},
            {"done", "failed", "--name", "job", "--reason", "r"},
            {"done", "unknown", "--name", "job", "--as-operator", "--reason", "r"},
            {"done", "failed", "--name", "job", "--token", "1", "--as-operator", "--reason", "r"},
            {"done", "failed", "--name", "job", "--effect", "e", "--as-operator", "--reason", "r"},
        }) {
            Result refused = cli.run(command);
            assertThat(refused.code())
                    .as("%s: %s", Arrays.asList(command), refused.err())
                    .isEqualTo(ExitCode.USAGE);
        }
        assertThat(item("failed")).containsEntry("state", "failed");
        assertThat(cli.run("done", "failed", "--name", "job", "--as-operator", "--reason", "r")
                        .code())
                .isZero();
        Result again = cli.run("done", "failed", "--name", "job", "--as-operator", "--reason", "r2", "--json");
        assertThat(again.code()).isZero();
        assertThat(JsonText.object(again.out()))
                .containsEntry("outcome", "already-done")
                .containsEntry("reason", "r");
    }
}
