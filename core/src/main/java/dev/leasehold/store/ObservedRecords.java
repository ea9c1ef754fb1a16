package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The records in a store without a clock. Every record has a time of its own: it starts when the record was written, goes
 * on while this host sees the record unchanged, and starts again with every new version. So a lease is over when it was
 * seen unchanged for as long as it lasts, whatever the clocks of the hosts say. The holder's trust began before its
 * write, so it ends before that.
 *
 * <p>Between leases, when no deadline depends on it, the time jumps ahead to the clock of this host, so that people find
 * sensible times in the history. A wrong clock spoils only these.
 *
 * <p>Thanks to that, a step on a record that this client knows takes one round trip: the time is known without asking,
 * and a reading that is out of date makes the write fail.
 */
final class ObservedRecords implements RecordAccess {
    private static final int MAX_KNOWN = 1000;

    private final StoreId store;
    private final ClocklessRegister register;
    private final Observations observations;
    private final Map<String, StoredRecord> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StoredRecord> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    ObservedRecords(StoreId store, ClocklessRegister register, Observations observations) {
        this.store = store;
        this.register = register;
        this.observations = observations;
    }

    @Override
    public StoredRecord read(String key) {
        StoredRecord stored = StoredRecord.of(register.read(key));
        remember(key, stored.exists() ? stored : null);
        return stored;
    }

    @Override
    public boolean replace(String key, StoredRecord before, LeaseRecord record, String text) {
        CasRegister.Reading reading = before.reading();
        Optional<String> version = register.replace(key, reading.version(), text);
        if (version.isEmpty()) {
            remember(key, null);
            return false;
        }
        CasRegister.Reading written = new CasRegister.Reading(Optional.of(text), version.get(), reading.at());
        remember(key, new StoredRecord(written, record));
        observations.begin(place(key), identity(written));
        return true;
    }

    private void remember(String key, @Nullable StoredRecord stored) {
        synchronized (known) {
            if (stored == null) {
                known.remove(key);
            } else {
                known.put(key, stored);
            }
        }
    }

    @Override
    public @Nullable StoredRecord known(String key) {
        StoredRecord stored;
        synchronized (known) {
            stored = known.get(key);
        }
        // Another client of this process may have seen a later one.
        if (stored == null || !observations.isLatest(place(key), identity(stored.reading()))) {
            return null;
        }
        CasRegister.Reading reading = stored.reading();
        return new StoredRecord(
                new CasRegister.Reading(reading.value(), reading.version(), observations.hostTime()), stored.record());
    }

    @Override
    public Instant now(String key, StoredRecord stored) {
        return now(key, stored, observations::unchanged);
    }

    @Override
    public Instant nowInList(String key, StoredRecord stored) {
        return now(key, stored, observations::unchangedInList);
    }

    private Instant now(String key, StoredRecord stored, BiFunction<String, String, Duration> observe) {
        CasRegister.Reading reading = stored.reading();
        LeaseRecord record = stored.record();
        if (record == null) {
            return reading.at();
        }
        Duration term = Duration.between(record.seen(), record.deadline());
        if (term.isNegative() || term.isZero()) {
            return reading.at();
        }
        Duration unchanged = observe.apply(place(key), identity(reading));
        if (unchanged.compareTo(term) < 0) {
            return record.seen().plus(unchanged);
        }
        return reading.at().isBefore(record.deadline()) ? record.deadline() : reading.at();
    }

    private String place(String key) {
        return store + "/" + key;
    }

    /** A store that was restored from a backup may give an old version to a new value. */
    private static String identity(CasRegister.Reading reading) {
        return reading.version() + "/"
                + Integer.toHexString(reading.value().orElse("").hashCode());
    }
}
