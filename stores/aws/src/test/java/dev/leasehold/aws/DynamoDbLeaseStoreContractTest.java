package dev.leasehold.aws;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDynamoDb.class)
class DynamoDbLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return Stores.create(SharedDynamoDb.url("leases/contract"));
    }
}
