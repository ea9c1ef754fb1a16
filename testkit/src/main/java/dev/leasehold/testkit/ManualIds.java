package dev.leasehold.testkit;

import dev.leasehold.spi.Ids;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that count up, so that every run of a test shows the same ones. Two instances that are used
 * with one store need different labels, or they create equal ids. Safe for use by many threads.
 */
public final class ManualIds implements Ids {
    private static final int DIGITS = 6;

    private final String label;
    private final AtomicLong drawn = new AtomicLong();
    private final AtomicLong chances = new AtomicLong();

    public ManualIds() {
        this("manual");
    }

    /** @param label letters and digits, not starting with a digit; every id ends with it */
    public ManualIds(String label) {
        if (!label.matches("[A-Za-z][A-Za-z0-9]{1,40}")) {
            throw new IllegalArgumentException("a label needs 2 to 41 letters and digits, the first of them a letter");
        }
        this.label = label;
    }

    /** The number comes first, because holders are named by the beginning of an id. */
    @Override
    public String unique() {
        String number = Long.toString(drawn.incrementAndGet());
        return "0".repeat(Math.max(0, DIGITS - number.length())) + number + label;
    }

    /** Well distributed and repeatable (a step of SplitMix64). */
    @Override
    public long below(long bound) {
        long z = chances.incrementAndGet() * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return Math.floorMod(z ^ (z >>> 31), Math.max(1, bound));
    }
}
