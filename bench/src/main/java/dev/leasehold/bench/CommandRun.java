package dev.leasehold.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of a command of {@code ./leasehold}, with the flags of the launcher: 256 MB of heap.
 *
 * @param lines how many lines it printed, headings and progress included
 * @param firstMillis until the first line after the heading, if it has one
 * @param megabytes the most memory that was resident
 */
record CommandRun(int lines, double firstMillis, double totalMillis, double megabytes) {
    private static final Duration SAMPLED_EVERY = Duration.ofMillis(10);

    /** @param heading how many lines come before the first that counts */
    static CommandRun of(int heading, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Path.of("leasehold").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        DoubleAccumulator megabytes = new DoubleAccumulator(Math::max, 0);
        Thread sampler = new Thread(() -> sample(process, megabytes), "memory");
        sampler.start();
        double first = 0;
        int lines = 0;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (!line.startsWith("leasehold: warning:")) {
                    lines++;
                }
                if (lines == heading + 1 && first == 0) {
                    first = millisSince(begun);
                }
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException(command + " ended with " + process.exitValue());
        }
        sampler.join();
        return new CommandRun(lines, first, millisSince(begun), megabytes.get());
    }

    private static double millisSince(long begun) {
        return (System.nanoTime() - begun) / 1e6;
    }

    private static void sample(Process process, DoubleAccumulator megabytes) {
        while (process.isAlive()) {
            megabytes.accumulate(residentMegabytes(process.pid()));
            LockSupport.parkNanos(SAMPLED_EVERY.toNanos());
        }
    }

    /** The launcher replaces itself with the JVM, so the process is the JVM. */
    private static double residentMegabytes(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
                }
            }
        } catch (IOException e) {
            // It has ended.
        }
        return 0;
    }

    CommandRun print(String what) {
        System.out.println(String.format(
                Locale.ROOT,
                "  %-46s %d lines, the first after %.0f ms, all after %.0f ms, at most %.0f MB",
                what,
                lines,
                firstMillis,
                totalMillis,
                megabytes));
        return this;
    }
}
