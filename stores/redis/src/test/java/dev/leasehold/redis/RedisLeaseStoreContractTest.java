package dev.leasehold.redis;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRedis.class)
class RedisLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return RedisLeaseStore.create(server());
    }

    String server() {
        return SharedRedis.url();
    }
}
