package dev.leasehold.etcd;

import dev.leasehold.testkit.StoreMoveContract;
import dev.leasehold.testkit.environment.Requires;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdStoreMoveTest extends StoreMoveContract {
    private final String place = "move-" + UUID.randomUUID();

    @Override
    protected String url() {
        return SharedEtcd.server().url("moves/" + place);
    }
}
