package dev.leasehold.store;

import java.time.Instant;

/** What time it is for a record, in the time of its store. */
@FunctionalInterface
interface RecordTime {
    Instant now(String key, StoredRecord stored);
}
