package dev.leasehold.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts several contenders at the same moment. */
final class Race {
    private Race() {}

    static <T> List<T> run(List<Callable<T>> contenders) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(contenders.size());
        ExecutorService threads = Executors.newFixedThreadPool(contenders.size());
        try {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> contender : contenders) {
                running.add(threads.submit(() -> {
                    start.await();
                    return contender.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a contender failed", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
