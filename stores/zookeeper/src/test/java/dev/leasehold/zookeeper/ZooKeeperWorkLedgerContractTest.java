package dev.leasehold.zookeeper;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedZooKeeper.class)
class ZooKeeperWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return new ZooKeeperStoreProvider().create(SharedZooKeeper.server().url());
    }
}
