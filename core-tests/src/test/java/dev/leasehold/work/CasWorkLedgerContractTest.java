package dev.leasehold.work;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WorkLedgerContract;
import java.time.Duration;

class CasWorkLedgerContractTest extends WorkLedgerContract {
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
