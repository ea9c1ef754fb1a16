package dev.leasehold.etcd;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return new EtcdStoreProvider().create(SharedEtcd.server().url());
    }
}
