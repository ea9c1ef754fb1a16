package dev.leasehold.nats;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("nats-server")
@ExtendWith(SharedNats.class)
class NatsLeaseStoreContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore openStore() {
        return new NatsStoreProvider().create(SharedNats.server().url());
    }
}
