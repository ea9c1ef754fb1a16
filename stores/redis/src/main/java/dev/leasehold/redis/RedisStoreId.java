package dev.leasehold.redis;

import dev.leasehold.model.StoreId;
import java.util.UUID;
import redis.clients.jedis.Protocol;

/** The store id, created by the first client. */
final class RedisStoreId {
    private static final byte[] IF_ABSENT = Resp.bytes("NX");

    private RedisStoreId() {}

    static StoreId of(RedisClient client, RedisKeys keys) {
        Object known = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.storeId());
        if (known == null) {
            String drawn = UUID.randomUUID().toString().replace("-", "");
            client.call(RedisClient.Repeat.SAFE, Protocol.Command.SET, keys.storeId(), Resp.bytes(drawn), IF_ABSENT);
            // Another client may have stored its id first.
            known = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.storeId());
        }
        return StoreId.of(Resp.text(known));
    }
}
