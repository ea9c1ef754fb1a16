package dev.leasehold.etcd;

import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.testkit.SharedWritesContract;
import dev.leasehold.testkit.environment.Requires;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdSharedWritesTest extends SharedWritesContract {
    private final String prefix = "shared-" + UUID.randomUUID();

    @Override
    protected int serverPort() {
        return SharedEtcd.server().port();
    }

    @Override
    protected ConnectedRegister connect(int port) {
        return new EtcdRegister(client(port));
    }

    private EtcdClient client(int port) {
        return EtcdClient.connect("etcd://127.0.0.1:" + port + "/" + prefix + "?timeout=60s");
    }

    /** Each has a revision. */
    @Override
    protected long transactions() {
        EtcdClient client = client(serverPort());
        try {
            Object header = client.call("kv/range", EtcdMessages.range("none"), EtcdClient.Repeat.SAFE)
                    .get("header");
            return Long.parseLong(String.valueOf(((Map<?, ?>) header).get("revision")));
        } finally {
            client.close();
        }
    }
}
