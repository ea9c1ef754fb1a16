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

/** Starts several contenders at the same moment, many times. */
final class Race implements AutoCloseable {
    /** A store that is slow is not raced for longer than this, but at least this often. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final int MIN_ROUNDS = 20;

    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final int rounds;
    private final ExaminationProgress progress;
    private long began;

    Race(int contenders, int rounds, ExaminationProgress progress) {
        this.threads = Executors.newFixedThreadPool(contenders);
        this.start = new CyclicBarrier(contenders);
        this.rounds = rounds;
        this.progress = progress;
    }

    /** Announces what the next rounds are about. */
    void begin(String what) {
        began = System.nanoTime();
        progress.step(what);
    }

    /** Whether another round follows after {@code done} rounds; there is always a first one. */
    boolean goesOn(int done) {
        long lasted = System.nanoTime() - began;
        progress.rounds(done, expected(done, lasted));
        boolean goesOn = done < rounds && (done < MIN_ROUNDS || lasted < LONGEST.toNanos());
        return done == 0 || (goesOn && !progress.isStopped());
    }

    /** How many rounds there will be if they go on as before: the time is limited too. */
    private int expected(int done, long lasted) {
        if (done < MIN_ROUNDS) {
            return rounds;
        }
        double inTime = (double) done * LONGEST.toNanos() / Math.max(1, lasted);
        return (int) Math.max(done, Math.min(rounds, inTime));
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
