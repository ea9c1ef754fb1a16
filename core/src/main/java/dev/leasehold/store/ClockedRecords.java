package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The records in a store that tells the time with every reading. */
record ClockedRecords(CasRegister register) implements RecordAccess {
    @Override
    public StoredRecord read(String key) {
        return StoredRecord.of(key, register.read(key));
    }

    @Override
    public boolean replace(String key, StoredRecord before, LeaseRecord record, String text) {
        return register.compareAndSet(key, before.reading().version(), text);
    }

    /** None, because the time of an earlier reading is no longer the time of the store. */
    @Override
    public @Nullable StoredRecord known(String key) {
        return null;
    }

    @Override
    public Instant now(String key, StoredRecord stored) {
        return stored.reading().at();
    }

    @Override
    public Instant readAt(String key, StoredRecord stored) {
        return stored.reading().at();
    }

    @Override
    public Instant nowInList(String key, StoredRecord stored) {
        return now(key, stored);
    }
}
