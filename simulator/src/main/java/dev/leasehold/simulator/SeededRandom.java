package dev.leasehold.simulator;

import java.util.SplittableRandom;

/** The seeded random numbers that decide everything outside the code under test. */
final class SeededRandom {
    private final SplittableRandom random;

    SeededRandom(long seed) {
        random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** From {@code low} to {@code high}, both included. */
    long between(long low, long high) {
        return low + random.nextLong(high - low + 1);
    }

    /** Mostly short, sometimes as long as {@code high}: delays and pauses of every size matter. */
    long upTo(long high) {
        long scaled = high >> random.nextInt(10);
        return random.nextLong(scaled + 1);
    }

    double factor(double spread) {
        return 1 + (random.nextDouble() * 2 - 1) * spread;
    }
}
