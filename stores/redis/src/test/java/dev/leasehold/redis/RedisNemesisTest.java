package dev.leasehold.redis;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.nio.file.Path;
import java.util.OptionalInt;
import redis.clients.jedis.Protocol;

/** Real processes on a durable Redis, with a guarded key. */
class RedisNemesisTest extends NemesisContract {
    private static final String KEY = "contested";

    @Override
    protected Site openSite(Path directory) throws Exception {
        RedisProcess server = start("--appendonly", "yes", "--appendfsync", "always");
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return "redis://127.0.0.1:" + port + "?timeout=1s";
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

    RedisProcess start(String... settings) throws Exception {
        return RedisProcess.start(settings);
    }

    @Override
    protected ContestedTarget open(String address) {
        LeaseStore store = RedisLeaseStore.create(address);
        RedisClient client = RedisClient.connect(address);
        return new Key(store, client, RedisFence.at(client, KEY));
    }

    private record Key(LeaseStore store, RedisClient client, RedisFence fence) implements ContestedTarget {
        @Override
        public Admission raise(Grant grant) {
            return fence.raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence.admit(grant, RedisWrite.string(content));
        }

        @Override
        public String read() {
            Object value = call(RedisClient.Repeat.SAFE, Protocol.Command.GET, KEY);
            return value == null ? "" : Resp.text(value);
        }

        @Override
        public void overwrite(String content) {
            call(RedisClient.Repeat.NEVER, Protocol.Command.SET, KEY, content);
        }

        private Object call(RedisClient.Repeat repeat, Protocol.Command command, String... arguments) {
            byte[][] bytes = new byte[arguments.length][];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = Resp.bytes(arguments[i]);
            }
            try {
                return client.call(repeat, command, bytes);
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
