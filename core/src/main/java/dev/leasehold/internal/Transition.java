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
     * @param floor the highest token of all forgotten names, see {@link
     *     dev.leasehold.spi.LeaseStore#floor}; it matters only if the record is null
     * @param clock the time of the store's clock
     */
    Step<T> decide(@Nullable LeaseRecord record, long floor, Instant clock);
}
