package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of jobs under {@code leasehold up}: labelled, harmless, bounded, and kept if the job failed. */
class UpOutputTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private Process up;

    @AfterEach
    void end() {
        if (up != null) {
            up.descendants().forEach(ProcessHandle::destroyForcibly);
            up.destroyForcibly();
        }
    }

    private CliRunner start(String jobs, String... options) throws IOException {
        CliRunner cli = CliRunner.withStore(folder.resolve("store")).withDrivers();
        Files.writeString(folder.resolve("jobs.yaml"), jobs);
        List<String> command = new ArrayList<>(
                cli.commandLine("up", "-f", folder.resolve("jobs.yaml").toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(cli.environment());
        // A line without an end would not fit into this memory.
        int flags = command.indexOf("-XX:+UseSerialGC");
        if (flags >= 0) {
            command.add(flags, "-Xmx64m");
        } else {
            builder.environment().put("LEASEHOLD_JAVA_OPTS", "-Xmx64m");
        }
        up = builder.redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        return cli;
    }

    @Test
    void theOutputOfAJobIsLabelledHarmlessAndKeptIfItFails() throws Exception {
        CliRunner cli = start(
                """
                zone: Asia/Kolkata
                jobs:
                  bad:
                    schedule: "* * * * * *"
                    retries: {max: 1, backoff: 1s}
                    shell: "printf 'page 1\\\\n\\\\033[2Jpage 2\\\\n'; echo 'no such table' >&2; exit 3"
                  endless:
                    schedule: "* * * * * *"
                    shell: "head -c 100000000 /dev/zero | tr '\\\\0' x; echo; echo the end"
                    output: files logs
                  left/behind:
                    schedule: "* * * * * *"
                    shell: "setsid sleep 300 & echo gone"
                """);
        await("a failure", () -> err().contains(" failed in "));
        await("a run whose pipe stays open", () -> err().contains("ran in") && out().contains("left/behind | gone"));
        await("a long line", () -> err().lines()
                .anyMatch(line -> line.contains("endless@") && line.contains("ran in")));
        up.destroy();
        assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(out()).contains("bad | page 1\n", "bad | \\x1b[2Jpage 2\n").doesNotContain("\u001b", "xxxx");
        assertThat(err())
                .contains("bad | no such table\n")
                .containsPattern("leasehold: 2\\d{3}-\\S+T\\S+\\+05:30 bad@\\S+\\+05:30 started, token 1\n")
                .containsPattern("bad@\\S+ attempt 1 failed \\(exit 3\\); retry 1 of 1 in 1s\n");
        try (var files = Files.list(folder.resolve("logs"))) {
            assertThat(files.map(Files::exists)).isNotEmpty();
        }
        String due = cli.run("due", "bad").out();
        assertThat(due)
                .contains("    | \\x1b[2Jpage 2\n", "    | no such table\n", "+05:30", "BY")
                .doesNotContain("\u001b");
        assertThat(cli.run("explain", "bad").out()).contains("| no such table");
        assertThat(cli.run("due", "bad", "--json").out()).contains("\"output\":[", "no such table", "\"holder\":");
    }

    @Test
    void theLogIsJsonLineByLine() throws Exception {
        start(
                """
                jobs:
                  tick:
                    schedule: "* * * * * *"
                    shell: "printf 'a \\\\033\\\\377 \\"quote\\"\\\\n'; exit 1"
                """,
                "--log",
                "json");
        await("a failure", () -> out().contains("\"event\":\"failed\""));
        up.destroy();
        assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        List<Map<String, Object>> lines = out().lines().map(JsonText::object).toList();
        assertThat(lines).allSatisfy(line -> assertThat(line).containsKeys("at", "level", "event"));
        assertThat(lines).anySatisfy(line -> assertThat(line)
                .containsEntry("event", "output")
                .containsEntry("job", "tick")
                .containsEntry("stream", "stdout")
                .containsEntry("line", "a \u001b\ufffd \"quote\"")
                .containsKeys("slot", "attempt"));
        assertThat(lines).anySatisfy(line -> assertThat(line)
                .containsEntry("event", "failed")
                .containsEntry("level", "error")
                .containsEntry("reason", "exit 1")
                .containsKeys("slot", "token", "holder", "durationMs"));
        assertThat(err()).isEmpty();
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what + "\n" + out() + err()).isLessThan(deadline);
            assertThat(up.isAlive()).as(what + "\n" + out() + err()).isTrue();
            Thread.sleep(50);
        }
    }

    private String out() {
        return read("out");
    }

    private String err() {
        return read("err");
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
