package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does the same work on many files, with several threads if there are many. The gain is not in
 * computing but on the disk, which can do several syncs at the same time.
 */
public final class ParallelWork {
    private static final int MAX_WORKERS = 8;
    private static final int FILES_A_WORKER = 16;

    private ParallelWork() {}

    /** The work on one file. */
    @FunctionalInterface
    public interface Work {
        void on(Path file) throws IOException;
    }

    /** Returns when all files are done. If one fails, throws after the others have stopped. */
    public static void forEach(List<Path> files, Work work) throws IOException {
        int workers = Math.min(MAX_WORKERS, files.size() / FILES_A_WORKER);
        AtomicInteger next = new AtomicInteger();
        if (workers <= 1) {
            take(files, work, next);
            return;
        }
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                running.add(pool.submit(() -> {
                    take(files, work, next);
                    return null;
                }));
            }
            pool.shutdown();
            awaitAll(running);
        } finally {
            pool.shutdownNow();
        }
    }

    private static void take(List<Path> files, Work work, AtomicInteger next) throws IOException {
        boolean done = false;
        try {
            for (int i = next.getAndIncrement(); i < files.size(); i = next.getAndIncrement()) {
                work.on(files.get(i));
            }
            done = true;
        } finally {
            if (!done) {
                // The other threads stop. The counter stays far below an overflow.
                next.set(files.size());
            }
        }
    }

    private static void awaitAll(List<Future<?>> running) throws IOException {
        IOException failure = null;
        for (Future<?> worker : running) {
            try {
                worker.get();
            } catch (ExecutionException e) {
                failure = failure == null ? failureOf(e) : failure;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClosedByInterruptException();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static IOException failureOf(ExecutionException e) {
        if (e.getCause() instanceof RuntimeException mistake) {
            throw mistake;
        }
        return e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
}
