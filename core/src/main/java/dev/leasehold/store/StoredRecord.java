package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.spi.CasRegister;
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

    /** @throws IllegalArgumentException if the text is damaged */
    static StoredRecord of(CasRegister.Reading reading) {
        String text = text(reading);
        return new StoredRecord(reading, text.isEmpty() ? null : RecordText.parse(RecordText.withoutHistory(text)));
    }

    /** The text of the record with its history; empty if the name is new. */
    String text() {
        return text(reading);
    }

    private static String text(CasRegister.Reading reading) {
        String text = reading.value().orElse("");
        return text.equals(RESERVED) ? "" : text;
    }

    boolean exists() {
        return reading.value().isPresent();
    }
}
