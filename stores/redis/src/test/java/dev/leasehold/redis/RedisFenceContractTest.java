package dev.leasehold.redis;

import dev.leasehold.fence.Fence;
import dev.leasehold.testkit.FenceContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

@ExtendWith(SharedRedis.class)
class RedisFenceContractTest extends FenceContract<RedisWrite> {
    private final String key = "report-" + UUID.randomUUID();
    private final List<RedisClient> clients = new ArrayList<>();

    @Override
    protected Fence<RedisWrite> openFence() {
        return RedisFence.at(client(), key);
    }

    @Override
    protected RedisWrite write(String content) {
        return RedisWrite.string(content);
    }

    @Override
    protected Optional<String> read() {
        Object value = clients.get(0).call(RedisClient.Repeat.SAFE, Protocol.Command.GET, Resp.bytes(key));
        return Optional.ofNullable(Resp.optionalText(value));
    }

    private RedisClient client() {
        clients.add(RedisClient.connect(server()));
        return clients.get(clients.size() - 1);
    }

    @AfterEach
    void closeClients() {
        clients.forEach(RedisClient::close);
    }

    String server() {
        return SharedRedis.url();
    }
}
