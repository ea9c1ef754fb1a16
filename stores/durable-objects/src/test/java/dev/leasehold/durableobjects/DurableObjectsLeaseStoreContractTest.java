package dev.leasehold.durableobjects;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.WORKERD)
@ExtendWith(SharedWorkerd.class)
class DurableObjectsLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return Stores.create(SharedWorkerd.url("contract"));
    }
}
