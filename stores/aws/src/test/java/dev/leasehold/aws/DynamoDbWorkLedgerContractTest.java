package dev.leasehold.aws;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDynamoDb.class)
class DynamoDbWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return Stores.create(SharedDynamoDb.url("leases/ledger"));
    }
}
