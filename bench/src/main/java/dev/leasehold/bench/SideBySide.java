package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures several ways of doing something in interleaved rounds, so that whatever else the machine does hits all of them,
 * and compares medians with the first way, the limit.
 */
final class SideBySide {
    /** Something that can be done {@code times} times over. */
    @FunctionalInterface
    interface Work {
        void repeat(int times) throws Exception;
    }

    /** Rounds that do not count: the first hundreds of repetitions measure the compiler. */
    private static final int WARM_UP = 5;

    private final String title;
    private final int timesPerRound;
    private final int rounds;
    private final Map<String, Work> contenders = new LinkedHashMap<>();

    SideBySide(String title, int timesPerRound, int rounds) {
        this.title = title;
        this.timesPerRound = timesPerRound;
        this.rounds = rounds;
    }

    SideBySide add(String name, Work work) {
        contenders.put(name, work);
        return this;
    }

    void run() throws Exception {
        Map<String, List<Double>> micros = new LinkedHashMap<>();
        for (int round = -WARM_UP; round < rounds; round++) {
            for (Map.Entry<String, Work> contender : contenders.entrySet()) {
                long start = System.nanoTime();
                contender.getValue().repeat(timesPerRound);
                double each = (System.nanoTime() - start) / 1000.0 / timesPerRound;
                if (round >= 0) {
                    micros.computeIfAbsent(contender.getKey(), name -> new ArrayList<>())
                            .add(each);
                }
            }
        }
        print(micros);
    }

    private void print(Map<String, List<Double>> micros) {
        System.out.println();
        System.out.println(title + " (" + rounds + " interleaved rounds of " + timesPerRound + ")");
        double limit = 0;
        for (Map.Entry<String, List<Double>> entry : micros.entrySet()) {
            List<Double> sorted = new ArrayList<>(entry.getValue());
            Collections.sort(sorted);
            double median = sorted.get(sorted.size() / 2);
            limit = limit == 0 ? median : limit;
            System.out.println(String.format(
                    Locale.ROOT,
                    "  %-46s %10.1f us median  (%.1f to %.1f)  %5.2f x",
                    entry.getKey(),
                    median,
                    sorted.get(0),
                    sorted.get(sorted.size() - 1),
                    median / limit));
        }
    }
}
