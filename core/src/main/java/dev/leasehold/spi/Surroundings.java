package dev.leasehold.spi;

/** Everything the engine takes from outside: time, waiting and chance. */
public record Surroundings(Ticker ticker, Timers timers, Ids ids) {}
