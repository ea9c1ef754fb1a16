package dev.leasehold.zookeeper;

import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.testkit.SharedWritesContract;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedZooKeeper.class)
class ZooKeeperSharedWritesTest extends SharedWritesContract {
    private final String path = "/shared/" + UUID.randomUUID();

    @Override
    protected int serverPort() {
        return SharedZooKeeper.server().port();
    }

    @Override
    protected ConnectedRegister connect(int port) {
        ZooKeeperRegister register = ZooKeeperRegister.connect("zookeeper://127.0.0.1:" + port + path + "?timeout=60s");
        register.createRoot();
        return register;
    }

    @Override
    protected long transactions() throws IOException {
        return Long.decode(FourLetterWord.status(serverPort(), "Zxid"));
    }
}
