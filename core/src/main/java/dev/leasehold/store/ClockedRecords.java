package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The records in a store that tells the time with every reading. */
record ClockedRecords(CasRegister register) implements RecordAccess {
    @Override
    public CasRegister.Reading read(String key) {
        return register.read(key);
    }

    @Override
    public boolean replace(String key, CasRegister.Reading before, String value) {
        return register.compareAndSet(key, before.version(), value);
    }

    /** None, because the time of an earlier reading is no longer the time of the store. */
    @Override
    public CasRegister.@Nullable Reading known(String key) {
        return null;
    }

    @Override
    public Instant now(String key, CasRegister.Reading reading, @Nullable LeaseRecord record) {
        return reading.at();
    }
}
