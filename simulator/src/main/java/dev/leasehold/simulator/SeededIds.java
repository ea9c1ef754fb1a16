package dev.leasehold.simulator;

import dev.leasehold.spi.Ids;

/** Ids that are unique within one simulation, and the same in every run of it. */
final class SeededIds implements Ids {
    private static final long FIRST = 100_000_000;

    private final SeededRandom random;
    private long drawn;

    SeededIds(SeededRandom random) {
        this.random = random;
    }

    /** Every id drawn from now on is greater than this. */
    long drawn() {
        return FIRST + drawn;
    }

    @Override
    public String unique() {
        return Long.toString(FIRST + ++drawn);
    }

    @Override
    public long below(long bound) {
        return bound <= 1 ? 0 : random.between(0, bound - 1);
    }
}
