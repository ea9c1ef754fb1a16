package dev.leasehold.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Starts several contenders at the same moment, many times. */
final class Race implements AutoCloseable {
    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(2);

    /** A store that is slow is not raced for longer than this, but at least this often. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final int MIN_ROUNDS = 20;

    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final int rounds;
    private final Consumer<String> progress;
    private String title = "";
    private long began;
    private long reported;

    Race(int contenders, int rounds, Consumer<String> progress) {
        this.threads = Executors.newFixedThreadPool(contenders);
        this.start = new CyclicBarrier(contenders);
        this.rounds = rounds;
        this.progress = progress;
    }

    /** Announces what the next rounds are about. */
    void begin(String what) {
        title = what;
        began = System.nanoTime();
        reported = began;
        progress.accept(what);
    }

    /** Whether another round follows after {@code done} rounds. */
    boolean goesOn(int done) {
        long now = System.nanoTime();
        if (now - reported > BETWEEN_REPORTS.toNanos()) {
            reported = now;
            progress.accept(title + ": round " + done + " of " + rounds);
        }
        return done < rounds && (done < MIN_ROUNDS || now - began < LONGEST.toNanos());
    }

    <T> List<T> run(List<Callable<T>> contenders) throws InterruptedException {
        List<Future<T>> running = new ArrayList<>();
        for (Callable<T> contender : contenders) {
            running.add(threads.submit(() -> {
                start.await();
                return contender.call();
            }));
        }
        try {
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
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
