package dev.leasehold.store;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualIds;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.ManualTimers;
import java.time.Duration;

/** A store without a clock passes the same contract as the others. */
class ObservedLeaseStoreContractTest extends LeaseStoreContract {
    private final ManualClock clock = new ManualClock();
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryRegister memory = new MemoryRegister(clock);
    private final Observations observations = new Observations(ticker, clock);

    @Override
    protected LeaseStore openStore() {
        return CasLeaseStore.over(
                new ClocklessMemoryRegister(memory, clock), observations, new ManualTimers(), new ManualIds());
    }

    @Override
    protected void passTime(Duration duration) {
        clock.advance(duration);
        ticker.advance(duration);
    }
}
