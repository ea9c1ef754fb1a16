package dev.leasehold.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;

/** One {@code leasehold up} with 1,000 jobs of which none is due: the cost of waiting. */
final class ManyJobsBench {
    private static final int JOBS = 1000;
    private static final Duration WATCHED = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final int MAX_ROUNDS = 60;

    private ManyJobsBench() {}

    static void run(Path scratch) throws Exception {
        Path file = Files.writeString(scratch.resolve("leasehold.yaml"), jobs());
        Process up = new ProcessBuilder(
                        "./leasehold", "up", "-f", file.toString(), "--store", "file:" + scratch.resolve("store"))
                .redirectErrorStream(true)
                .redirectOutput(scratch.resolve("log").toFile())
                .start();
        try {
            untilAllJobsAreKnown(up);
            Duration before = cpu(up);
            Thread.sleep(WATCHED.toMillis());
            double share = cpu(up).minus(before).toNanos() * 100.0 / WATCHED.toNanos();
            System.out.println();
            System.out.println("leasehold up with " + JOBS + " jobs, none of them due, for " + WATCHED.toSeconds()
                    + " s: " + Math.round(share * 100) / 100.0 + " % of one core");
        } finally {
            up.destroy();
            up.waitFor();
        }
    }

    /** Daily schedules at times that are hours away. */
    private static String jobs() {
        LocalTime first = LocalTime.now(ZoneOffset.UTC).plusHours(6);
        StringBuilder text = new StringBuilder("jobs:\n");
        for (int i = 0; i < JOBS; i++) {
            LocalTime time = first.plusMinutes(i % 600);
            text.append("  job-")
                    .append(i)
                    .append(": {schedule: \"")
                    .append(time.getMinute())
                    .append(' ');
            text.append(time.getHour()).append(" * * *\", command: [\"true\"]}\n");
        }
        return text.toString();
    }

    /** The first pass over each job writes its record; after that nothing happens. */
    private static void untilAllJobsAreKnown(Process up) throws IOException, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Duration before = cpu(up);
            Thread.sleep(QUIET.toMillis());
            if (round > 2 && cpu(up).minus(before).toMillis() < 50) {
                return;
            }
        }
        throw new IOException("the first pass over all jobs has not ended");
    }

    private static Duration cpu(Process process) throws IOException {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IOException("the CPU time of another process cannot be read here"));
    }
}
