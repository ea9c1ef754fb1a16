package dev.leasehold.redis;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRedis.class)
class RedisWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return RedisLeaseStore.create(server());
    }

    String server() {
        return SharedRedis.url();
    }
}
