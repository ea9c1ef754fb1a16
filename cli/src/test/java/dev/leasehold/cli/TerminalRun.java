package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command on a terminal of its own, as a user types it and looks at it. Needs {@code script}. */
public final class TerminalRun implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int CTRL_C = 3;
    private static final int CTRL_S = 19;

    private final Process terminal;
    private final Path screen;

    private TerminalRun(Process terminal, Path screen) {
        this.terminal = terminal;
        this.screen = screen;
    }

    /** @param cli has the environment */
    public static TerminalRun start(CliRunner cli, List<String> commandLine, Path screen) throws IOException {
        StringBuilder line = new StringBuilder("exec");
        commandLine.forEach(
                word -> line.append(" '").append(word.replace("'", "'\\''")).append('\''));
        ProcessBuilder builder = new ProcessBuilder("script", "-qfec", line.toString(), screen.toString());
        builder.environment().clear();
        builder.environment().putAll(cli.environment());
        builder.environment().put("PATH", System.getenv("PATH"));
        return new TerminalRun(
                builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start(), screen);
    }

    /** What was on the screen until now, with the characters that draw a line again. */
    public String screen() throws IOException {
        return Files.exists(screen) ? Files.readString(screen, StandardCharsets.ISO_8859_1) : "";
    }

    public void awaitScreen(String words) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!screen().contains(words)) {
            assertThat(terminal.isAlive() && System.nanoTime() < deadline)
                    .as("%s in: %s", words, screen())
                    .isTrue();
            Thread.sleep(20);
        }
    }

    public void pressCtrlC() throws IOException {
        press(CTRL_C);
    }

    /** Halts the output: the command waits when it prints the next time, until Ctrl-C is pressed. */
    public void pressCtrlS() throws IOException {
        press(CTRL_S);
    }

    private void press(int key) throws IOException {
        OutputStream keyboard = terminal.getOutputStream();
        keyboard.write(key);
        keyboard.flush();
    }

    /** Waits for the end of the command and returns its exit code. */
    public int exit() throws InterruptedException {
        assertThat(terminal.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return terminal.exitValue();
    }

    @Override
    public void close() {
        terminal.descendants().forEach(ProcessHandle::destroyForcibly);
        terminal.destroyForcibly();
    }
}
