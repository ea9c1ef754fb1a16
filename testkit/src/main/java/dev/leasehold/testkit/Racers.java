package dev.leasehold.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads that start at the same moment. They are reused for several races, because new threads do
 * not start at the same moment.
 */
public final class Racers implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final int count;
    private final ExecutorService threads;

    public Racers(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, "racer");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What one racer does, given its number. */
    @FunctionalInterface
    public interface Racer<T> {
        T run(int number) throws Exception;
    }

    /**
     * Returns the results in the order of the racers. An exception or an assertion error of a racer
     * is thrown here.
     */
    public <T> List<T> race(Racer<T> racer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Callable<T> task = () -> {
                start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return racer.run(number);
            };
            running.add(threads.submit(task));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            results.add(await(future));
        }
        return results;
    }

    private static <T> T await(Future<T> future) throws Exception {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("a racer did not end within " + PATIENCE_SECONDS + " s", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
