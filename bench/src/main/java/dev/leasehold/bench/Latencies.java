package dev.leasehold.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The time that each of many calls took, on any number of threads. */
final class Latencies {
    private static final int MOST = 1 << 20;

    private final long[] nanos = new long[MOST];
    private final AtomicInteger count = new AtomicInteger();

    /** The same lock, whose pairs are counted here. */
    AcquireRelease of(AcquireRelease lock) {
        return name -> {
            long start = System.nanoTime();
            lock.acquireAndRelease(name);
            int index = count.getAndIncrement();
            if (index < MOST) {
                nanos[index] = System.nanoTime() - start;
            }
        };
    }

    /** Forgets the calls that only warmed up. Not while calls are under way. */
    void clear() {
        count.set(0);
    }

    /** Milliseconds; {@code share} is 0.99 for the time that all but one percent of the calls keep. */
    double millis(double share) {
        long[] sorted = Arrays.copyOf(nanos, Math.min(count.get(), MOST));
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }

    void print(String contender) {
        System.out.println(String.format(
                Locale.ROOT,
                "  %-46s a pair takes %.1f ms median, %.1f ms at the 99th percentile",
                contender,
                millis(0.5),
                millis(0.99)));
    }
}
