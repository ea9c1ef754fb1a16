package dev.leasehold.redis;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.history.LinearizabilityContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRedis.class)
class RedisLinearizabilityTest extends LinearizabilityContract {
    @Override
    protected LeaseStore openStore() {
        return RedisLeaseStore.create(server());
    }

    String server() {
        return SharedRedis.url();
    }
}
