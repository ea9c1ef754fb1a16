package dev.leasehold.server;

import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class HttpWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return HttpLeaseStore.open(SharedServer.url());
    }
}
