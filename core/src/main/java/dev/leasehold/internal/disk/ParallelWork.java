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
 * The same work on many files. Threads are used where there are enough files, not for the processor's sake but for the
 * disk's: syncs that are asked for at the same time are done at the same time.
 */
public final class ParallelWork {
    private static final int MAX_WORKERS = 8;
    private static final int FILES_A_WORKER = 16;

    private ParallelWork() {}

    /** What is done to one file. */
    @FunctionalInterface
    public interface Work {
        void on(Path file) throws IOException;
    }

    /** Returns when all is done, or throws when one of them failed and the others have stopped. */
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
                // Nobody takes another one; far below where counting on could overflow.
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
