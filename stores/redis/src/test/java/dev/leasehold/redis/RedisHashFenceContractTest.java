package dev.leasehold.redis;

import dev.leasehold.fence.Fence;
import dev.leasehold.testkit.FenceContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

/** The contract on a field of a hash. */
@ExtendWith(SharedRedis.class)
class RedisHashFenceContractTest extends FenceContract<RedisWrite> {
    private final String key = "{order}-" + UUID.randomUUID();
    private final List<RedisClient> clients = new ArrayList<>();

    @Override
    protected Fence<RedisWrite> openFence() {
        clients.add(RedisClient.connect(server()));
        return RedisFence.at(clients.get(clients.size() - 1), key);
    }

    @Override
    protected RedisWrite write(String content) {
        return RedisWrite.fields(Map.of("content", content));
    }

    @Override
    protected Optional<String> read() {
        Object value = clients.get(0)
                .call(RedisClient.Repeat.SAFE, Protocol.Command.HGET, Resp.bytes(key), Resp.bytes("content"));
        return Optional.ofNullable(Resp.optionalText(value));
    }

    @AfterEach
    void closeClients() {
        clients.forEach(RedisClient::close);
    }

    String server() {
        return SharedRedis.url();
    }
}
