package dev.leasehold.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * CPU time of an acquire and a release, of the server and of this process, in user and in system
 * code. Unlike wall-clock time it does not include waiting.
 */
final class CpuTime {
    /** Linux counts CPU time in hundredths of a second. */
    private static final double MICROS_PER_TICK = 10_000;

    private static final int ROUNDS = 4;
    private final long serverPid;
    private final int threads;
    private final int pairs;
    private final Map<String, AcquireRelease> contenders = new LinkedHashMap<>();
    private final Map<String, double[]> sums = new LinkedHashMap<>();

    /**
     * @param serverPid the server's process; the time of its children counts too
     * @param pairs of acquire and release in a round, of all threads together
     */
    CpuTime(long serverPid, int threads, int pairs) {
        this.serverPid = serverPid;
        this.threads = threads;
        this.pairs = pairs;
    }

    CpuTime add(String name, AcquireRelease pair) {
        contenders.put(name, pair);
        sums.put(name, new double[4]);
        return this;
    }

    /** Runs all contenders in turn, several times; they must be warm already. */
    void run(String title) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                for (Map.Entry<String, AcquireRelease> contender : contenders.entrySet()) {
                    double[] before = ticks();
                    pairs(pool, contender.getValue());
                    double[] after = ticks();
                    double[] sum = sums.getOrDefault(contender.getKey(), new double[4]);
                    for (int i = 0; i < sum.length; i++) {
                        sum[i] += after[i] - before[i];
                    }
                }
            }
        } finally {
            pool.shutdownNow();
        }
        System.out.println();
        System.out.println(title + " (CPU time per pair, " + ROUNDS + " rounds of " + pairs + ")");
        sums.forEach((name, sum) -> System.out.println(String.format(
                Locale.ROOT,
                "  %-46s server %5.1f us user + %5.1f system, client %5.1f us user + %5.1f system",
                name,
                each(sum[0]),
                each(sum[1]),
                each(sum[2]),
                each(sum[3]))));
    }

    private double each(double ticks) {
        return ticks * MICROS_PER_TICK / ROUNDS / pairs;
    }

    private void pairs(ExecutorService pool, AcquireRelease pair) throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            Comparison.Work work = pair.onThread(thread);
            tasks.add(() -> {
                work.repeat(pairs / threads);
                return null;
            });
        }
        for (Future<Void> task : pool.invokeAll(tasks)) {
            task.get();
        }
    }

    private double[] ticks() throws IOException {
        double[] server = ticks(Long.toString(serverPid));
        for (ProcessHandle child :
                ProcessHandle.of(serverPid).orElseThrow().children().toList()) {
            if (child.isAlive()) {
                double[] more = ticks(Long.toString(child.pid()));
                server[0] += more[0];
                server[1] += more[1];
            }
        }
        double[] client = ticks("self");
        return new double[] {server[0], server[1], client[0], client[1]};
    }

    private static double[] ticks(String pid) throws IOException {
        String line = Files.readString(Path.of("/proc", pid, "stat"));
        // After the process name, which is in parentheses and may contain anything; user and system
        // time are fields 14 and 15.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return new double[] {Double.parseDouble(fields[11]), Double.parseDouble(fields[12])};
    }
}
