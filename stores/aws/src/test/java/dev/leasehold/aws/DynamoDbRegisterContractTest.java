package dev.leasehold.aws;

import dev.leasehold.Stores;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.CasRegisterContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDynamoDb.class)
class DynamoDbRegisterContractTest extends CasRegisterContract {
    private final List<LeaseStore> stores = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        stores.add(Stores.create(SharedDynamoDb.url("leases/register")));
        return stores.get(stores.size() - 1).register();
    }

    @AfterEach
    void closeStores() {
        stores.forEach(LeaseStore::close);
    }
}
