package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under the key of a lease.
 *
 * @param record null if the name is new
 */
record StoredRecord(CasRegister.Reading reading, @Nullable LeaseRecord record) {
    /**
     * Stands in the place of a record before the first grant of a name. To create a key shows only that it did not exist at
     * that moment: the name may have been granted and forgotten since the floor was read. To replace this text shows that it
     * was not.
     */
    static final String RESERVED = "leasehold reserved 1";

    /** @throws StoreCorruptException if the text is damaged. An empty text is: it is not the text of a new name. */
    static StoredRecord of(String key, CasRegister.Reading reading) {
        Optional<String> text = reading.value().filter(value -> !value.equals(RESERVED));
        return new StoredRecord(
                reading,
                text.map(value -> CasLeaseStore.parse(key, RecordText::parse, RecordText.withoutHistory(value)))
                        .orElse(null));
    }

    /** The text of the record with its history; empty if the name is new. */
    String text() {
        return record == null ? "" : reading.value().orElse("");
    }

    boolean exists() {
        return reading.value().isPresent();
    }
}
