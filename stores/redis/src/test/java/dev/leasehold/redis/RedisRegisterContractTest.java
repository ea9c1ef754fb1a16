package dev.leasehold.redis;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.CasRegisterContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRedis.class)
class RedisRegisterContractTest extends CasRegisterContract {
    private final List<LeaseStore> stores = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        stores.add(RedisLeaseStore.create(server()));
        return stores.get(stores.size() - 1).register();
    }

    @AfterEach
    void closeStores() {
        stores.forEach(LeaseStore::close);
    }

    String server() {
        return SharedRedis.url();
    }
}
