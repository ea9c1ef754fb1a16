package dev.leasehold.spi;

/** The holder's clocks. */
@FunctionalInterface
public interface Ticker {
    ClockReading read();
}
