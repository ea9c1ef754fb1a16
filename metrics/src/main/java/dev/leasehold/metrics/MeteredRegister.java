package dev.leasehold.metrics;

import dev.leasehold.metrics.CallTimers.Operation;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.Map;

/** A register that measures its calls. */
final class MeteredRegister implements CasRegister {
    private final CasRegister register;
    private final CallTimers timers;

    MeteredRegister(CasRegister register, CallTimers timers) {
        this.register = register;
        this.timers = timers;
    }

    @Override
    public Reading read(String key) {
        return timers.time(Operation.READ, () -> register.read(key));
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return timers.time(Operation.SET, () -> register.compareAndSet(key, expected, value));
    }

    @Override
    public boolean remove(String key, String expected) {
        return timers.time(Operation.REMOVE, () -> register.remove(key, expected));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return timers.time(Operation.KEYS, () -> register.keys(prefix, after, limit));
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        return timers.time(Operation.VERSIONS, () -> register.versions(prefix, after, limit));
    }

    @Override
    public Map<String, String> values(String prefix, String after, int limit) {
        return timers.time(Operation.VALUES, () -> register.values(prefix, after, limit));
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        return timers.time(Operation.VALUES, () -> register.readings(prefix, after, limit));
    }

    @Override
    public Map<String, Reading> readingsOf(List<String> keys) {
        return timers.time(Operation.VALUES, () -> register.readingsOf(keys));
    }
}
