package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that a job has for its success and its failure. */
class SlotHooksTest {
    @TempDir
    Path folder;

    private Process up;

    @AfterEach
    void end() {
        if (up != null) {
            up.destroyForcibly();
        }
    }

    private String read(String file) throws IOException {
        return Files.exists(folder.resolve(file)) ? Files.readString(folder.resolve(file)) : "";
    }

    private void runUntilBothWereTold() throws Exception {
        CliRunner cli = CliRunner.withStore(folder.resolve("store")).withDrivers();
        ProcessBuilder builder = new ProcessBuilder(
                cli.commandLine("up", "-f", folder.resolve("jobs.yaml").toString()));
        builder.environment().putAll(cli.environment());
        up = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        for (int i = 0;
                i < 600
                        && (read("good-ran").lines().count() < 3
                                || read("bad-failed").isEmpty()
                                || read("slow-told").isEmpty());
                i++) {
            Thread.sleep(100);
        }
        up.destroy();
        assertThat(up.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aSlotIsToldToTheCommandForItsOutcome() throws Exception {
        Path script = Files.writeString(folder.resolve("tell.sh"), "#!/bin/sh\ncat >> good-ran\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.writeString(
                folder.resolve("jobs.yaml"),
                """
                jobs:
                  good:
                    schedule: "* * * * * *"
                    command: ["true"]
                    on-success: [./tell.sh]
                    on-failure: [sh, -c, "cat >> good-failed"]
                  slow:
                    schedule: "* * * * * *"
                    command: ["true"]
                    on-success: [sh, -c, "echo begun >> slow-told; sleep 400"]
                  bad:
                    schedule: "* * * * * *"
                    command: [sh, -c, "exit 5"]
                    retries: {max: 1, backoff: 1ms}
                    on-success: [sh, -c, "cat >> bad-ran"]
                    on-failure: [sh, -c, "cat >> bad-failed; exit 9"]
                """);
        runUntilBothWereTold();

        assertThat(up.exitValue()).as(read("log")).isZero();
        assertThat(read("good-ran").lines().toList().get(0))
                .startsWith("{\"job\":\"good\",\"slot\":\"")
                .contains("\"outcome\":\"ran\"", "\"token\":");
        assertThat(read("bad-failed").lines().toList().get(0))
                .contains("\"outcome\":\"failed\"", "\"reason\":\"exit 5\"", "\"attempt\":2");
        assertThat(folder.resolve("good-failed")).doesNotExist();
        assertThat(folder.resolve("bad-ran")).doesNotExist();
        assertThat(read("log"))
                .contains("on-failure of bad@", "failed: exit 9")
                .contains("on-success of slow@", "was killed, because this program is stopping");
        assertThat(read("slow-told")).isEqualTo("begun\n");
    }
}
