package dev.leasehold.simulator;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.CasRegister.Reading;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store's server: a register with its own clock. It can become unavailable, and can lose
 * acknowledged writes.
 */
final class StoreServer implements SimulatedServer, CasRegister {
    private static final int UNDO_KEPT = 64;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final VirtualTime time;
    private final double rate;
    private final long tick;
    private final List<Consumer<String>> afterWrite = new ArrayList<>();
    private Map<String, Entry> entries = new TreeMap<>();
    private final Deque<Undo> undo = new ArrayDeque<>();
    private @Nullable Map<String, Entry> backup;
    private long versions;
    private long clockMoved;
    private long awayUntil;
    private long leasesAwayUntil;
    private final SimulatedServer leases = new Leases();

    private record Entry(String value, String version) {}

    private record Undo(String key, @Nullable Entry before) {}

    /** @param tick the resolution of its clock, in nanoseconds */
    StoreServer(VirtualTime time, double rate, long tick) {
        this.time = time;
        this.rate = rate;
        this.tick = tick;
    }

    /**
     * @param action receives the key after every change from now on, in the same step; earlier
     *     actions stay registered
     */
    void afterEachWrite(Consumer<String> action) {
        undo.clear();
        afterWrite.add(action);
    }

    Instant clock() {
        long nanos = Math.round(time.now() * rate) + clockMoved;
        return START.plusNanos(nanos - Math.floorMod(nanos, tick));
    }

    @Override
    public Reading read(String key) {
        Entry entry = entries.get(key);
        return entry == null ? Reading.absent(clock()) : new Reading(Optional.of(entry.value), entry.version, clock());
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return replace(key, expected, value).isPresent();
    }

    /** Returns the new version, or empty if nothing changed. */
    Optional<String> replace(String key, String expected, String value) {
        Entry before = entries.get(key);
        if (!expected.equals(before == null ? ABSENT : before.version)) {
            return Optional.empty();
        }
        String version = Long.toString(++versions);
        put(key, before, new Entry(value, version));
        return Optional.of(version);
    }

    @Override
    public boolean remove(String key, String expected) {
        Entry before = entries.get(key);
        if (before == null || !expected.equals(before.version)) {
            return false;
        }
        put(key, before, null);
        return true;
    }

    private void put(String key, @Nullable Entry before, @Nullable Entry after) {
        undo.push(new Undo(key, before));
        if (undo.size() > UNDO_KEPT) {
            undo.removeLast();
        }
        set(key, after);
        for (Consumer<String> action : afterWrite) {
            action.accept(key);
        }
    }

    private void set(String key, @Nullable Entry entry) {
        if (entry == null) {
            entries.remove(key);
        } else {
            entries.put(key, entry);
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        List<String> found = new ArrayList<>();
        for (String key : entries.keySet()) {
            if (key.startsWith(prefix) && key.compareTo(after) > 0 && found.size() < limit) {
                found.add(key);
            }
        }
        return found;
    }

    @Override
    public boolean isUnavailable() {
        return time.now() < awayUntil;
    }

    @Override
    public boolean mayRepeatRequests() {
        return true;
    }

    long awayUntil() {
        return awayUntil;
    }

    void becomeUnavailableFor(long nanos) {
        awayUntil = Math.max(awayUntil, time.now() + nanos);
    }

    /** Simulates a database in which a table is locked. */
    void stopAnsweringLeasesFor(long nanos) {
        leasesAwayUntil = Math.max(leasesAwayUntil, time.now() + nanos);
    }

    /** The part of the server that answers for a key. */
    SimulatedServer serverFor(String key) {
        return key.startsWith("lease/") ? leases : this;
    }

    private final class Leases implements SimulatedServer {
        @Override
        public boolean isUnavailable() {
            return StoreServer.this.isUnavailable() || time.now() < leasesAwayUntil;
        }

        @Override
        public boolean mayRepeatRequests() {
            return true;
        }
    }

    void moveClock(long nanos) {
        clockMoved += nanos;
    }

    /** Simulates a failover to a replica that had not received the last writes. */
    void loseWrites(long count) {
        for (long n = 0; n < count && !undo.isEmpty(); n++) {
            Undo last = undo.pop();
            set(last.key, last.before);
        }
    }

    void takeBackup() {
        backup = new TreeMap<>(entries);
    }

    /** Returns whether there was a backup. */
    boolean restoreBackup() {
        if (backup == null) {
            return false;
        }
        entries = new TreeMap<>(backup);
        undo.clear();
        return true;
    }
}
