package dev.leasehold.internal;

import dev.leasehold.model.LeaseRecord;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a {@link Transition}: the answer, and the record to write, or null if nothing
 * changes. A step that changes the owner also adds one line of history, in the same atomic write.
 */
public record Step<T>(T answer, @Nullable LeaseRecord write, boolean transfers) {
    public static <T> Step<T> keep(T answer) {
        return new Step<>(answer, null, false);
    }

    static <T> Step<T> update(T answer, LeaseRecord record) {
        return new Step<>(answer, record, false);
    }

    static <T> Step<T> transfer(T answer, LeaseRecord record) {
        return new Step<>(answer, record, true);
    }
}
