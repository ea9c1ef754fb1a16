package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of agents. */
class AgentExamplesTest {
    @TempDir
    Path directory;

    private String run(String example, int expected, String... environment) throws IOException, InterruptedException {
        Path script = Path.of("..", "examples", "agents", example + ".sh")
                .toAbsolutePath()
                .normalize();
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true);
        builder.environment()
                .put(
                        "LEASEHOLD",
                        CliRunner.withMissingStore(directory).script(directory).toString());
        for (int i = 0; i < environment.length; i += 2) {
            builder.environment().put(environment[i], environment[i + 1]);
        }
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(out).isTrue();
        assertThat(process.exitValue()).as(out).isEqualTo(expected);
        return out;
    }

    @Test
    void twoAgentsLoseNoLine() throws Exception {
        assertThat(run("two-agents", 0)).contains("The file has 4 of 4 lines");
    }

    @Test
    void withoutTheHookTheyLoseLines() throws Exception {
        assertThat(run("two-agents", 1, "HOOK", "off")).doesNotContain("4 of 4");
    }

    @Test
    void aFrozenAgentPutsBackWhatItReplaced() throws Exception {
        assertThat(run("frozen-agent", 0)).contains("came too late").contains("alice is frozen");
    }

    @Test
    void aSupervisorsReasonReachesTheOldAgentAndTheCheckpointTheNewOne() throws Exception {
        assertThat(run("supervisor", 0))
                .contains("a tool call is refused", "a write is", "a push is", "the completion is", "a mail is")
                .contains("goes on from page 40");
    }
}
