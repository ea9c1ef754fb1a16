package dev.leasehold.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of all leases: chosen, sorted, and on a terminal. */
class StatusListTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void holdLeases() {
        cli = CliRunner.withStore(directory.resolve("store"));
        cli.run("acquire", "a", "--holder", "zoe", "--ttl", "2h");
        cli.run("acquire", "b", "--holder", "yan");
        cli.run("release", "b", "--token", "1");
        cli.run("acquire", "c-" + "long".repeat(20), "--holder", "adam", "--ttl", "1h");
    }

    private List<String> names(String... options) {
        return cli.run(options)
                .out()
                .lines()
                .skip(1)
                .map(line -> line.substring(0, 1))
                .toList();
    }

    @Test
    void onlyThoseThatAreHeldAndInTheOrderAskedFor() {
        assertThat(names("status", "--held")).containsExactly("a", "c");
        assertThat(names("status", "--sort", "name")).containsExactly("a", "b", "c");
        assertThat(names("status", "--sort", "left")).containsExactly("c", "a", "b");
        assertThat(names("status", "--sort", "holder")).containsExactly("c", "b", "a");
        assertThat(names("status", "--sort", "acquired", "--held")).containsExactly("c", "a");
        assertThat(cli.run("status", "--held", "--prefix", "b").out())
                .isEqualTo("no lease is held whose name starts with b\n");
        assertThat(cli.run("status", "--held", "--json").out().lines()).hasSize(2);
        assertThat(cli.run("status", "a", "--held").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("status", "--sort", "size").err()).contains("is not one of name, left, holder, acquired");
    }

    /** One terminal for both: the list fits, is drawn over itself, and Ctrl-C leaves the cursor below it. */
    @Test
    @Requires("script")
    void onATerminalTheListFitsAndIsDrawnInPlace() throws Exception {
        Path program = cli.script(directory);
        Path screen = directory.resolve("screen");
        ProcessBuilder builder = new ProcessBuilder(
                "script",
                "-qfec",
                "stty cols 70 rows 12; '" + program + "' status; '" + program + "' status --watch",
                screen.toString());
        builder.environment().clear();
        builder.environment().putAll(cli.environment());
        builder.environment().put("PATH", System.getenv("PATH"));
        Process terminal =
                builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try (OutputStream keyboard = terminal.getOutputStream()) {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (text(screen).split("\u001b\\[J", -1).length < 3) {
                assertThat(System.nanoTime()).as(text(screen)).isLessThan(deadline);
                Thread.sleep(100);
            }
            keyboard.write(3);
            keyboard.flush();
            assertThat(terminal.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroyForcibly);
            terminal.destroyForcibly();
        }
        String shown = text(screen);
        String[] frames = shown.split("\u001b\\[H", -1);
        assertThat(frames[0].lines().filter(line -> line.startsWith("c-")))
                .singleElement()
                .satisfies(line -> assertThat(line).hasSizeLessThanOrEqualTo(70).contains("..."));
        assertThat(frames[1]).as("cleared once").startsWith("\u001b[2J");
        assertThat(frames[3]).doesNotContain("\u001b[2J").contains("c-", "\u001b[K");
        assertThat(frames[2]).as("the cursor is below the list").contains("\n\u001b[J");
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
    }
}
