package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Measures several contenders in interleaved rounds, so that other load on the machine hits all of
 * them, and compares medians with the first contender, the limit.
 */
final class Comparison {
    /** Work that can be repeated. */
    @FunctionalInterface
    interface Work {
        void repeat(int times) throws Exception;
    }

    /** Work that measures its relevant part itself. */
    @FunctionalInterface
    interface Timed {
        /** Microseconds per repetition. */
        double micros(int times) throws Exception;
    }

    /** Rounds that do not count: the first hundreds of repetitions measure the compiler. */
    private static final int WARM_UP = 5;

    private final String title;
    private final int timesPerRound;
    private final int rounds;
    private final Map<String, Timed> contenders = new LinkedHashMap<>();
    private int warmUp = WARM_UP;

    Comparison(String title, int timesPerRound, int rounds) {
        this.title = title;
        this.timesPerRound = timesPerRound;
        this.rounds = rounds;
    }

    /** For work that is warm already, or takes so long that it warms up by itself. */
    Comparison warmUp(int value) {
        this.warmUp = value;
        return this;
    }

    Comparison add(String name, Work work) {
        return addTimed(name, times -> microsOf(() -> work.repeat(times)) / times);
    }

    Comparison addTimed(String name, Timed work) {
        contenders.put(name, work);
        return this;
    }

    /** Splits the repetitions of a round among threads, each with its own work. */
    Comparison addOnThreads(String name, int threads, IntFunction<Work> workOf) {
        List<Work> each = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            each.add(workOf.apply(thread));
        }
        return addTimed(name, times -> microsOf(() -> together(each, times / threads)) / times);
    }

    private static void together(List<Work> works, int times) throws Exception {
        if (works.size() == 1) {
            works.get(0).repeat(times);
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(works.size());
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (Work work : works) {
                tasks.add(() -> {
                    work.repeat(times);
                    return null;
                });
            }
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static double microsOf(Action action) throws Exception {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1000.0;
    }

    Measurement run() throws Exception {
        Map<String, List<Double>> micros = new LinkedHashMap<>();
        List<Map.Entry<String, Timed>> order = new ArrayList<>(contenders.entrySet());
        contenders.keySet().forEach(name -> micros.put(name, new ArrayList<>()));
        for (int round = -warmUp; round < rounds; round++) {
            // A contender that follows one that keeps the cores awake is faster, so the order
            // rotates.
            Collections.rotate(order, 1);
            for (Map.Entry<String, Timed> contender : order) {
                double each = contender.getValue().micros(timesPerRound);
                if (round >= 0) {
                    micros.computeIfAbsent(contender.getKey(), name -> new ArrayList<>())
                            .add(each);
                }
            }
        }
        Measurement outcome = new Measurement(title, micros);
        outcome.print(rounds + " interleaved rounds of " + timesPerRound);
        return outcome;
    }
}
