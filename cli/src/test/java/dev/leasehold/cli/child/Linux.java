package dev.leasehold.cli.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Observes processes without the code under test. */
final class Linux {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A bash script that ignores TERM and appends the time to the file $0 as long as it lives. */
    static final String STUBBORN =
            "trap '' TERM; echo ready; while :; do read -r now _ </proc/uptime; echo $now >>$0; sleep 0.01; done";

    private Linux() {}

    static double lastSignOfLife(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return Double.parseDouble(lines.get(lines.size() - 1));
    }

    /** Seconds since boot. */
    static double uptime() {
        try {
            String text = Files.readString(Path.of("/proc/uptime"));
            return Double.parseDouble(text.substring(0, text.indexOf(' ')));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static boolean alive(long pid) {
        return !"ZX".contains(state(pid));
    }

    /** The kernel's letter for the state of the process; X if there is none. */
    static String state(long pid) {
        return stat(pid).get(0);
    }

    static boolean leadsItsGroup(long pid) {
        return stat(pid).get(2).equals(Long.toString(pid));
    }

    /** State, parent, process group, session. */
    private static List<String> stat(long pid) {
        try {
            byte[] stat = Files.readAllBytes(Path.of("/proc/" + pid + "/stat"));
            String text = new String(stat, StandardCharsets.ISO_8859_1);
            return List.of(text.substring(text.lastIndexOf(") ") + 2).split(" ", 5));
        } catch (IOException ended) {
            return List.of("X", "", "", "");
        }
    }

    static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("bash", "-c", "kill -s " + name + " -- " + pid)
                        .start()
                        .waitFor())
                .isZero();
    }

    static void eventually(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("time to wait until " + what).isLessThan(end);
            Thread.sleep(5);
        }
    }

    /**
     * Waits for the number that a command under test writes into a file, until the line is
     * complete.
     */
    static long pidIn(Path file) throws Exception {
        eventually(
                file + " is written",
                () -> Files.exists(file) && Files.readString(file).endsWith("\n"));
        return Long.parseLong(Files.readString(file).trim());
    }
}
