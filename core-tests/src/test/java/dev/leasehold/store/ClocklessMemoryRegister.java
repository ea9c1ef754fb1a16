package dev.leasehold.store;

import dev.leasehold.spi.ClocklessRegister;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One host's view of a register in memory that has no clock, and counts the round trips. */
final class ClocklessMemoryRegister implements ClocklessRegister {
    private final MemoryRegister memory;
    private final InstantSource hostClock;
    private int calls;
    private int reads;
    private Runnable writing = () -> {};

    ClocklessMemoryRegister(MemoryRegister memory, InstantSource hostClock) {
        this.memory = memory;
        this.hostClock = hostClock;
    }

    int calls() {
        return calls;
    }

    int reads() {
        return reads;
    }

    /** Runs in every write, after it was decided and before it takes effect. */
    void whileWriting(Runnable action) {
        writing = action;
    }

    @Override
    public Reading read(String key) {
        calls++;
        reads++;
        Reading reading = memory.read(key);
        return new Reading(reading.value(), reading.version(), hostClock.instant());
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        calls++;
        Map<String, Reading> readings = new LinkedHashMap<>();
        memory.readings(prefix, after, limit)
                .forEach((key, reading) ->
                        readings.put(key, new Reading(reading.value(), reading.version(), hostClock.instant())));
        return readings;
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        calls++;
        writing.run();
        return memory.replace(key, expected, value);
    }

    @Override
    public boolean remove(String key, String expected) {
        calls++;
        return memory.remove(key, expected);
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return memory.keys(prefix, after, limit);
    }
}
