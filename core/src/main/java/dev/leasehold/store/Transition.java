package dev.leasehold.store;

import dev.leasehold.model.LeaseRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A pure decision on one record. It may be tried several times before its outcome is written once. */
@FunctionalInterface
public interface Transition<T> {
    /**
     * @param record what the store holds, null for a name it does not know
     * @param clock what the store's clock says
     */
    Step<T> decide(@Nullable LeaseRecord record, Instant clock);
}
