package dev.leasehold.etcd;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import dev.leasehold.testkit.servers.EtcdServer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Real processes on etcd, with a guarded key. */
@Requires("etcd")
class EtcdNemesisTest extends NemesisContract {
    private static final String KEY = "contested";

    @Override
    protected Site openSite(Path directory) throws Exception {
        EtcdServer server = EtcdServer.start();
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return "etcd://127.0.0.1:" + port + "/leases?timeout=1s";
            }

            @Override
            public void restart() throws Exception {
                server.kill();
                server.startAgain();
            }

            @Override
            public void close() throws Exception {
                server.close();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) {
        EtcdClient client = EtcdClient.connect(address);
        return new Key(new EtcdStoreProvider().create(address), client, EtcdFence.at(client, KEY + "/fence"));
    }

    private record Key(LeaseStore store, EtcdClient client, EtcdFence fence) implements ContestedTarget {
        @Override
        public Admission raise(Grant grant) {
            return fence.raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence.admit(grant, EtcdWrite.put(KEY, content));
        }

        @Override
        public String read() {
            try {
                List<EtcdKey> found =
                        EtcdMessages.keys(client.call("kv/range", EtcdMessages.range(KEY), EtcdClient.Repeat.SAFE));
                return found.isEmpty() ? "" : found.get(0).value();
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        @Override
        public void overwrite(String content) {
            try {
                client.call("kv/put", EtcdMessages.putAlone(KEY, content), EtcdClient.Repeat.NEVER);
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            client.close();
            store.close();
        }
    }
}
