package dev.leasehold.zookeeper;

import dev.leasehold.testkit.StoreMoveContract;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedZooKeeper.class)
class ZooKeeperStoreMoveTest extends StoreMoveContract {
    private final String place = "move-" + UUID.randomUUID();

    @Override
    protected String url() {
        return SharedZooKeeper.server().url("/moves/" + place);
    }
}
