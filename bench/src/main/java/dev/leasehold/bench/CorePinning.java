package dev.leasehold.bench;

import java.util.Arrays;
import java.util.List;

/**
 * Pins this process and a server to one core for a while. With one thread they never work at the
 * same time, and on two virtual cores a measurement would mostly show how long the other core takes
 * to wake up.
 */
final class CorePinning implements AutoCloseable {
    private static final String ALL = "0-" + (Runtime.getRuntime().availableProcessors() - 1);

    private final List<Long> pids;

    CorePinning(long... pids) throws Exception {
        this.pids = Arrays.stream(pids).boxed().toList();
        bind("0");
    }

    private void bind(String cores) throws Exception {
        for (long pid : pids) {
            Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", cores, Long.toString(pid))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (taskset.waitFor() != 0) {
                throw new IllegalStateException("taskset could not bind process " + pid + " to core " + cores);
            }
        }
    }

    @Override
    public void close() throws Exception {
        bind(ALL);
    }
}
