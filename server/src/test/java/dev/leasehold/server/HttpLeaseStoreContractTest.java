package dev.leasehold.server;

import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class HttpLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return HttpLeaseStore.open(SharedServer.url());
    }
}
