package dev.leasehold.spi;

/** Everything that the engine takes from outside: clocks, timers and random numbers. */
public record EngineContext(Ticker ticker, Timers timers, Ids ids) {}
