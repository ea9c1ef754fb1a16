package dev.leasehold.simulator.soak;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The resources of this process at one moment.
 *
 * @param memory bytes of the heap in use after a collection
 * @param handles open files and sockets; -1 where the system does not report them
 */
public record Footprint(long memory, int threads, int handles) {
    /**
     * Room for caches that fill, pooled connections and short-lived threads. A leak grows beyond
     * it.
     */
    public static final Footprint TOLERANCE = new Footprint(8L << 20, 8, 8);

    private static final int COLLECTIONS = 3;
    private static final long LET_CLEANERS_RUN_MILLIS = 50;

    static Footprint measure() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(LET_CLEANERS_RUN_MILLIS);
        }
        return withoutCollection();
    }

    /** Without a collection first, so memory includes garbage. */
    static Footprint withoutCollection() {
        Runtime runtime = Runtime.getRuntime();
        return new Footprint(runtime.totalMemory() - runtime.freeMemory(), countThreads(), countHandles());
    }

    public boolean outgrewMemoryOf(Footprint start) {
        return memory > start.memory + TOLERANCE.memory;
    }

    public boolean outgrewThreadsOf(Footprint start) {
        return threads > start.threads + TOLERANCE.threads;
    }

    public boolean outgrewHandlesOf(Footprint start) {
        return start.handles >= 0 && handles > start.handles + TOLERANCE.handles;
    }

    private static int countThreads() {
        return Thread.getAllStackTraces().size();
    }

    private static int countHandles() {
        for (Path directory : new Path[] {Path.of("/proc/self/fd"), Path.of("/dev/fd")}) {
            if (Files.isDirectory(directory)) {
                try (DirectoryStream<Path> open = Files.newDirectoryStream(directory)) {
                    int count = 0;
                    for (Path ignored : open) {
                        count++;
                    }
                    return count;
                } catch (IOException | DirectoryIteratorException e) {
                    // Try the other place.
                }
            }
        }
        return -1;
    }
}
