package dev.leasehold.etcd;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return new EtcdStoreProvider().create(SharedEtcd.server().url());
    }
}
