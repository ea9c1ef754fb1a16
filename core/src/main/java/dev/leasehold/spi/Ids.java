package dev.leasehold.spi;

/** A source of random numbers. */
public interface Ids {
    /** A new unique id of letters and digits, with at least 100 random bits. */
    String unique();

    /** A random number from 0 (inclusive) to {@code bound} (exclusive). */
    long below(long bound);
}
