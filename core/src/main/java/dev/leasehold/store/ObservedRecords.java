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
 * sensible times in the history. A wrong clock spoils only these. For the same purpose a record also has the time of day
 * at which it was written.
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
        StoredRecord stored = StoredRecord.of(key, register.read(key));
        remember(key, stored.exists() ? stored : null);
        return stored;
    }

    @Override
    public boolean replace(String key, StoredRecord before, LeaseRecord record, String text) {
        CasRegister.Reading reading = before.reading();
        String dated = RecordText.dated(text, observations.hostTime());
        Optional<String> version = register.replace(key, reading.version(), dated);
        if (version.isEmpty()) {
            remember(key, null);
            return false;
        }
        CasRegister.Reading written = new CasRegister.Reading(Optional.of(dated), version.get(), reading.at());
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

    /**
     * The time at which the record was written, and how long ago that was by the clocks of its writer and of this host. The
     * time of a record falls behind these clocks while a lease is renewed for days: it stands still during each write.
     */
    @Override
    public Instant readAt(String key, StoredRecord stored) {
        Instant here = stored.reading().at();
        LeaseRecord record = stored.record();
        if (record == null) {
            return here;
        }
        return CasLeaseStore.parse(key, RecordText::written, stored.text())
                .map(written -> record.seen().plus(Duration.between(written, here)))
                .filter(inRecord -> inRecord.isBefore(here))
                .orElse(here);
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
