package dev.leasehold.internal;

import dev.leasehold.model.LeaseRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pure decision about one record. A store may repeat it until it succeeds in writing the outcome.
 */
@FunctionalInterface
public interface Transition<T> {
    /**
     * @param record the record in the store, null if the name is new
     * @param clock the time of the store's clock
     */
    Step<T> decide(@Nullable LeaseRecord record, Instant clock);
}
