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
    private final Map<String, CasRegister.Reading> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CasRegister.Reading> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    ObservedRecords(StoreId store, ClocklessRegister register, Observations observations) {
        this.store = store;
        this.register = register;
        this.observations = observations;
    }

    @Override
    public CasRegister.Reading read(String key) {
        CasRegister.Reading reading = register.read(key);
        remember(key, reading);
        return reading;
    }

    @Override
    public boolean replace(String key, CasRegister.Reading before, String value) {
        Optional<String> version = register.replace(key, before.version(), value);
        remember(
                key,
                version.isPresent() ? new CasRegister.Reading(Optional.of(value), version.get(), before.at()) : null);
        version.ifPresent(written -> observations.begin(place(key), identity(written, value)));
        return version.isPresent();
    }

    private void remember(String key, CasRegister.@Nullable Reading reading) {
        synchronized (known) {
            if (reading == null || reading.value().isEmpty()) {
                known.remove(key);
            } else {
                known.put(key, reading);
            }
        }
    }

    @Override
    public CasRegister.@Nullable Reading known(String key) {
        CasRegister.Reading reading;
        synchronized (known) {
            reading = known.get(key);
        }
        // Another client of this process may have seen a later one.
        return reading == null || !observations.isLatest(place(key), identity(reading))
                ? null
                : new CasRegister.Reading(reading.value(), reading.version(), observations.hostTime());
    }

    @Override
    public Instant now(String key, CasRegister.Reading reading, @Nullable LeaseRecord record) {
        if (record == null) {
            return reading.at();
        }
        Duration term = Duration.between(record.seen(), record.deadline());
        if (term.isNegative() || term.isZero()) {
            return reading.at();
        }
        Duration unchanged = observations.unchanged(place(key), identity(reading));
        if (unchanged.compareTo(term) < 0) {
            return record.seen().plus(unchanged);
        }
        return reading.at().isBefore(record.deadline()) ? record.deadline() : reading.at();
    }

    private String place(String key) {
        return store + "/" + key;
    }

    private static String identity(CasRegister.Reading reading) {
        return identity(reading.version(), reading.value().orElse(""));
    }

    /** A store that was restored from a backup may give an old version to a new value. */
    private static String identity(String version, String value) {
        return version + "/" + Integer.toHexString(value.hashCode());
    }
}
