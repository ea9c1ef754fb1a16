package dev.leasehold.store;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.Watch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A register whose store may move away. Every value of such a store gets a mark, so that each step on it fails, and only
 * then is it asked where the store went. A new key has no mark: who creates one asks afterwards whether the store is
 * still here. A lease need not ask, because a new name reads the floor, which is marked before the names are listed.
 */
class MovableRegister implements ConnectedRegister {
    /** Stands before a value of a store that moved away. */
    static final String MARK = "leasehold moved 1\n";

    private final ConnectedRegister register;
    private final RegisterPart part;

    private MovableRegister(ConnectedRegister register, String part) {
        this.register = register;
        this.part = new RegisterPart(register, part);
    }

    /** Only a register that is a store of its own can lose it to another place. */
    static CasRegister over(CasRegister register, CasPlace place) {
        if (!(register instanceof ConnectedRegister connected)) {
            return register;
        }
        return register instanceof ClocklessRegister clockless
                ? new Clockless(connected, clockless, place.part())
                : new MovableRegister(connected, place.part());
    }

    final String placed(String key) {
        return part.placed(key);
    }

    @Override
    public Reading read(String key) {
        Reading reading = register.read(placed(key));
        requireNoMark(reading.value().orElse(""));
        return reading;
    }

    private void requireNoMark(String value) {
        if (value.startsWith(MARK)) {
            requireHere();
            throw new StoreCorruptException(
                    "a record says that the store was moved, but the store is here; nothing was changed. Restore all of it"
                            + " from one backup");
        }
    }

    private void requireHere() {
        CasPlace.read(register).ifPresent(CasPlace::requireHere);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return checked(key, expected, register.compareAndSet(placed(key), expected, value));
    }

    final boolean checked(String key, String expected, boolean changed) {
        if (!RegisterPart.isOfLease(key) && (!changed || expected.equals(ABSENT))) {
            requireHere();
        }
        return changed;
    }

    @Override
    public boolean remove(String key, String expected) {
        return checked(key, expected, register.remove(placed(key), expected));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        List<String> keys = part.keys(prefix, after, limit);
        requireHere();
        return keys;
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> versions = part.versions(prefix, after, limit);
        requireHere();
        return versions;
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        Map<String, Reading> readings = part.readings(prefix, after, limit);
        requireHere();
        readings.values().forEach(reading -> requireNoMark(reading.value().orElse("")));
        return readings;
    }

    @Override
    public Optional<Watch> watch(String key) {
        return register.watch(placed(key));
    }

    @Override
    public Optional<String> atomicBecause() {
        return register.atomicBecause();
    }

    @Override
    public List<String> warnings() {
        return register.warnings();
    }

    @Override
    public void close() {
        register.close();
    }

    /** The same for a register without a clock. */
    private static final class Clockless extends MovableRegister implements ClocklessRegister {
        private final ClocklessRegister clockless;

        Clockless(ConnectedRegister register, ClocklessRegister clockless, String part) {
            super(register, part);
            this.clockless = clockless;
        }

        @Override
        public Optional<String> replace(String key, String expected, String value) {
            Optional<String> version = clockless.replace(placed(key), expected, value);
            checked(key, expected, version.isPresent());
            return version;
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            return replace(key, expected, value).isPresent();
        }
    }
}
