package dev.leasehold.store;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;

class MemoryLeaseStoreContractTest extends LeaseStoreContract {
    private final ManualClock clock = new ManualClock();
    private final MemoryLeaseStore memory = new MemoryLeaseStore(StoreId.of("memory-store"), clock);

    /** All clients share one object, because the memory belongs to it. */
    @Override
    protected LeaseStore openStore() {
        return memory;
    }

    @Override
    protected void passTime(Duration duration) {
        clock.advance(duration);
    }
}
