package dev.leasehold.cli.child;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A short command that is told something on its standard input, such as one that sends a mail. Its
 * output goes where that of this program goes.
 */
public final class Hook {
    private static final long LOOK_MILLIS = 100;

    private final List<String> command;
    private final @Nullable Path directory;
    private final Map<String, String> variables;
    private final Duration limit;

    /**
     * @param directory where it starts; null for the current directory
     * @param variables added to its environment
     * @param limit after this time it is killed, with every process that it started
     */
    public Hook(List<String> command, @Nullable Path directory, Map<String, String> variables, Duration limit) {
        this.command = command;
        this.directory = directory;
        this.variables = variables;
        this.limit = limit;
    }

    /** Runs the command with this text as its input. Returns what went wrong; null if it exited with 0. */
    public @Nullable String run(String input) throws InterruptedException {
        return run(input, () -> false);
    }

    /** @param stop whether to kill it now */
    public @Nullable String run(String input, BooleanSupplier stop) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        builder.environment().remove(SystemdNotifier.VARIABLE);
        builder.environment().putAll(variables);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return "it could not be started: " + e.getMessage();
        }
        try {
            // Fits into the buffer of a pipe, so that a command that does not read it delays nobody.
            write(process.getOutputStream(), input);
            long end = System.nanoTime() + limit.toNanos();
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    return "it was killed, because this program was stopped";
                }
                if (System.nanoTime() - end > 0) {
                    return "it did not end within " + limit.toSeconds() + " s and was killed";
                }
            }
            return process.exitValue() == 0 ? null : "exit " + process.exitValue();
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private static void write(OutputStream stdin, String input) {
        try (OutputStream open = stdin) {
            open.write((input + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It ended without reading. Its exit code tells whether that was a failure.
        }
    }
}
