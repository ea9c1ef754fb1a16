package dev.leasehold.store;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;

class CasLeaseStoreContractTest extends LeaseStoreContract {
    private final ManualClock clock = new ManualClock();
    private final MemoryRegister register = new MemoryRegister(clock);

    @Override
    protected LeaseStore openStore() {
        return CasLeaseStore.over(register);
    }

    @Override
    protected void passTime(Duration duration) {
        clock.advance(duration);
    }
}
