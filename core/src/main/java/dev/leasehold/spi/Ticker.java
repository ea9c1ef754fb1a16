package dev.leasehold.spi;

/** The clocks of the holder's host. */
@FunctionalInterface
public interface Ticker {
    ClockReading read();
}
