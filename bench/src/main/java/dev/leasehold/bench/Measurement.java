package dev.leasehold.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one measurement.
 *
 * @param micros the times of each contender, one per round, in the order in which the contenders
 *     were added
 */
record Measurement(String title, Map<String, List<Double>> micros) {
    double median(String contender) {
        List<Double> sorted = sorted(contender);
        return sorted.get(sorted.size() / 2);
    }

    /** How many times as fast as {@code other} the contender is. */
    double speed(String contender, String other) {
        return median(other) / median(contender);
    }

    private List<Double> sorted(String contender) {
        List<Double> rounds = micros.get(contender);
        if (rounds == null) {
            throw new IllegalArgumentException("there is no contender " + contender);
        }
        return rounds.stream().sorted().toList();
    }

    void print(String how) {
        System.out.println();
        System.out.println(title + " (" + how + ")");
        double limit = 0;
        for (String contender : micros.keySet()) {
            List<Double> sorted = sorted(contender);
            double median = median(contender);
            limit = limit == 0 ? median : limit;
            System.out.println(String.format(
                    Locale.ROOT,
                    "  %-46s %10.1f us median  (%.1f to %.1f)  %5.2f x",
                    contender,
                    median,
                    sorted.get(0),
                    sorted.get(sorted.size() - 1),
                    median / limit));
        }
    }
}
