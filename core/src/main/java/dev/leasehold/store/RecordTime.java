package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What time it is for a record, in the time of its store. */
@FunctionalInterface
interface RecordTime {
    /** @param record the record that was read, null if the name is new */
    Instant now(String key, CasRegister.Reading reading, @Nullable LeaseRecord record);
}
