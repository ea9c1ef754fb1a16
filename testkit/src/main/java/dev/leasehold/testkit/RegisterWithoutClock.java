package dev.leasehold.testkit;

import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.store.MemoryRegister;
import java.util.List;
import java.util.Optional;

/** A register in memory whose clock decides nothing, as in etcd: for tests of what people see of such a store. */
public record RegisterWithoutClock(MemoryRegister memory) implements ClocklessRegister {
    @Override
    public Reading read(String key) {
        return memory.read(key);
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        return memory.replace(key, expected, value);
    }

    @Override
    public boolean remove(String key, String expected) {
        return memory.remove(key, expected);
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return memory.keys(prefix, after, limit);
    }
}
