package dev.leasehold.spi;

import java.util.Optional;

/**
 * A register in a store that has no clock to ask. {@link CasRegister.Reading#at} is the clock of this
 * host: good enough for people to read, but no deadline is judged by it. Whether a lease is over is
 * decided by how long this host has seen its record unchanged.
 *
 * <p>A store that does report a time, even in a header of its answers, implements {@link CasRegister}
 * alone and gives that time to its readings.
 */
public interface ClocklessRegister extends CasRegister {
    /**
     * Replaces the value if its version is {@code expected}; with {@link #ABSENT}, creates it.
     *
     * @return the version of the new value; empty if nothing changed
     */
    Optional<String> replace(String key, String expected, String value);

    @Override
    default boolean compareAndSet(String key, String expected, String value) {
        return replace(key, expected, value).isPresent();
    }
}
