package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How the records of leases are read from a register and replaced, and what time it is for them. */
interface RecordAccess extends RecordTime {
    /** @throws StoreCorruptException if the record is damaged */
    StoredRecord read(String key);

    /** @param text the record with its history */
    boolean replace(String key, StoredRecord before, LeaseRecord record, String text);

    /** The time of day when the record was read, from which its ages count. No rule uses it. */
    Instant readAt(String key, StoredRecord stored);

    /** What was read or written earlier, and may still be up to date; null if there is nothing. */
    @Nullable
    StoredRecord known(String key);

    /** The same as {@link #now} for a record in a list. Nobody waits for it, so it must not displace what is kept for those who wait. */
    Instant nowInList(String key, StoredRecord stored);
}
