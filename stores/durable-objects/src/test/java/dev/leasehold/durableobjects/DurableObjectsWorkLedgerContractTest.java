package dev.leasehold.durableobjects;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.WORKERD)
@ExtendWith(SharedWorkerd.class)
class DurableObjectsWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return Stores.create(SharedWorkerd.url("ledger"));
    }
}
