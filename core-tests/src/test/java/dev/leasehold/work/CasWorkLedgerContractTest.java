package dev.leasehold.work;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WorkLedgerContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class CasWorkLedgerContractTest extends WorkLedgerContract {
    private final ManualClock clock = new ManualClock();
    private final MemoryRegister register = new MemoryRegister(clock);
    /** Real timers, because writers that lose a race have to wait for each other. */
    private final Timers timers = new SystemTimers();

    @Override
    protected LeaseStore openStore() {
        return CasLeaseStore.over(register, timers, new SystemIds());
    }

    @Override
    protected void passTime(Duration duration) {
        clock.advance(duration);
    }

    @AfterEach
    void closeTimers() {
        timers.close();
    }
}
