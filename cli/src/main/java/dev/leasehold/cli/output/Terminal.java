package dev.leasehold.cli.output;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Finds out whether an output of this program is a terminal, and how large it is. */
public final class Terminal {
    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final Path STDERR = Path.of("/proc/self/fd/2");
    private static final File TERMINAL = new File("/dev/tty");
    private static final long PATIENCE_MS = 1000;
    private static final int MOST = 10_000;

    private Terminal() {}

    /** The size of a terminal; zero where it is unknown or there is none. */
    public record Size(int columns, int rows) {
        public static final Size UNKNOWN = new Size(0, 0);
    }

    public static boolean isOnStdout() {
        return isTerminal(STDOUT);
    }

    public static boolean isOnStderr() {
        return isTerminal(STDERR);
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            String device = Files.readSymbolicLink(descriptor).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException e) {
            // Without /proc this is unknown. The output is the same, but does not clear the screen.
            return false;
        }
    }

    /** The size of the terminal on stdout. The variables of the shell count first. */
    public static Size size(Map<String, String> environment) {
        if (!isOnStdout()) {
            return Size.UNKNOWN;
        }
        int columns = number(environment.getOrDefault("COLUMNS", ""));
        int rows = number(environment.getOrDefault("LINES", ""));
        return columns > 0 && rows > 0 ? new Size(columns, rows) : asked(columns, rows);
    }

    /** Java cannot ask the terminal itself. */
    private static Size asked(int columns, int rows) {
        Size fallback = new Size(columns, rows);
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return fallback;
            }
            return parse(new String(stty.getInputStream().readNBytes(100), StandardCharsets.US_ASCII), fallback);
        } catch (IOException e) {
            return fallback;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return fallback;
        }
    }

    /** Reads {@code rows columns}; what the shell said comes first. */
    static Size parse(String answer, Size known) {
        String text = answer.strip();
        int blank = text.indexOf(' ');
        if (blank < 0) {
            return known;
        }
        int rows = known.rows > 0 ? known.rows : number(text.substring(0, blank));
        return new Size(known.columns > 0 ? known.columns : number(text.substring(blank + 1)), rows);
    }

    /** Zero if the text is no sensible size. */
    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            return number > 0 && number < MOST ? number : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
