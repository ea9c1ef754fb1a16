package dev.leasehold.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.TerminalRun;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold simulate}, from the command line. */
class SimulateCommandTest {
    @Test
    void jsonIsOneObjectForOneSeedAndForMany() {
        CliRunner.Result one = new CliRunner().run("simulate", "--seeds", "1", "--from", "7", "--json");
        CliRunner.Result many = new CliRunner().run("simulate", "--seeds", "20", "--json");

        assertThat(one.code()).as(one.err()).isZero();
        Map<String, Object> history = JsonText.object(one.out());
        assertThat(history).containsEntry("seed", 7L).doesNotContainKey("violation");
        assertThat(history.get("history"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSizeGreaterThan(10);
        assertThat(many.code()).as(many.err()).isZero();
        assertThat(JsonText.object(many.out())).containsEntry("histories", 20L).containsEntry("violations", 0L);
    }

    @Test
    @Requires("script")
    void ctrlCEndsItWithTheSummaryOfWhatWasDone(@TempDir Path directory) throws Exception {
        CliRunner cli = new CliRunner().withDrivers();
        List<String> command = cli.commandLine("simulate", "--seeds", "1000000");
        try (TerminalRun run = TerminalRun.start(cli, command, directory.resolve("screen"))) {
            run.awaitScreen(" of 1000000 histories, ");
            run.pressCtrlC();

            assertThat(run.exit()).as(run.screen()).isZero();
            assertThat(run.screen())
                    .contains("interrupted; the summary is about the histories until then")
                    .containsPattern("\\d+ histories, \\d+ steps, \\d+ stale writes refused, 0 violations");
        }
    }

    @Test
    void aLostSummaryOrHistoryIsNoSuccess() {
        for (String line : List.of("simulate --seeds 1", "simulate --seeds 2", "simulate --seeds 2 --json")) {
            CliRunner.Result result = new CliRunner().runOnAFullDisk(line.split(" ", -1));

            assertThat(result.code()).as(line + ": " + result.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(result.err()).contains("the answer is lost");
        }
    }
}
