package dev.leasehold.zookeeper;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedZooKeeper.class)
class ZooKeeperLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return new ZooKeeperStoreProvider().create(SharedZooKeeper.server().url());
    }
}
