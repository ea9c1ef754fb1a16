package dev.leasehold.spi;

/** Where chance comes from. */
public interface Ids {
    /** A fresh id that nobody else draws: letters and digits, at least 100 bits of chance. */
    String unique();

    /** A number from 0 up to, not including, {@code bound}. */
    long below(long bound);
}
