package dev.leasehold.work;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WorkLedgerContract;
import java.time.Duration;

class MemoryWorkLedgerContractTest extends WorkLedgerContract {
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
