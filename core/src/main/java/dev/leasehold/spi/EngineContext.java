package dev.leasehold.spi;

/** Everything the engine takes from outside: time, waiting and chance. */
public record EngineContext(Ticker ticker, Timers timers, Ids ids) {}
