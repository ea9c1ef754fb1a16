package dev.leasehold.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One run of {@code ./leasehold status}, with the flags of the launcher: 256 MB of heap.
 *
 * @param lines how many lines it printed, the heading included
 * @param firstMillis until the first line after the heading
 * @param megabytes the most memory that was resident
 */
record StatusRun(int lines, double firstMillis, double totalMillis, double megabytes) {
    static StatusRun of(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Path.of("leasehold").toAbsolutePath().toString(), "status"));
        command.addAll(List.of(arguments));
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        double first = 0;
        int lines = 0;
        double megabytes = 0;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            while (out.readLine() != null) {
                lines++;
                if (lines == 2) {
                    first = millisSince(begun);
                }
                if (lines % 1000 == 0) {
                    megabytes = Math.max(megabytes, residentMegabytes(process.pid()));
                }
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException(command + " ended with " + process.exitValue());
        }
        return new StatusRun(lines, first, millisSince(begun), megabytes);
    }

    private static double millisSince(long begun) {
        return (System.nanoTime() - begun) / 1e6;
    }

    /** The launcher replaces itself with the JVM, so the process is the JVM. */
    private static double residentMegabytes(long pid) throws IOException {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
                }
            }
        } catch (NoSuchFileException e) {
            // It has ended.
        }
        return 0;
    }

    void print(String what) {
        System.out.println(String.format(
                Locale.ROOT,
                "  %-46s %d lines, the first after %.0f ms, all after %.0f ms, at most %.0f MB",
                what,
                lines,
                firstMillis,
                totalMillis,
                megabytes));
    }
}
