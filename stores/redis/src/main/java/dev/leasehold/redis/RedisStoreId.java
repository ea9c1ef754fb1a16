package dev.leasehold.redis;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/** The store id. */
final class RedisStoreId {
    private static final byte[] IF_ABSENT = Resp.bytes("NX");

    private RedisStoreId() {}

    /** @throws StoreMissingException if there is none */
    static StoreId read(RedisClient client, RedisKeys keys) {
        return here(client, keys, text(client, keys));
    }

    private static StoreId here(RedisClient client, RedisKeys keys, String text) {
        MovedStore moved = moved(client, keys, text);
        if (moved != null) {
            throw moved.exception();
        }
        return StoreId.of(text);
    }

    /** Where the store went; null if it is here. */
    static @Nullable MovedStore moved(RedisClient client, RedisKeys keys, String text) {
        return MovedStore.isMoved(text)
                ? MovedStore.of(
                        text,
                        Resp.optionalText(client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.movedTo())))
                : null;
    }

    /**
     * The id, or the text in its place.
     *
     * @throws StoreMissingException if there is none
     */
    static String text(RedisClient client, RedisKeys keys) {
        Object known = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.storeId());
        if (known == null) {
            throw new StoreMissingException(
                    "there is no store in " + client.address() + ": it was never created there, or"
                            + " the database was flushed, or restored without it. Nothing was created. Check the database number"
                            + " and the namespace. To make a new store there, run 'leasehold store init' with the same URL, without ?id=...");
        }
        return Resp.text(known);
    }

    static StoreId create(RedisClient client, RedisKeys keys) {
        Object known = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.storeId());
        if (known == null) {
            String drawn = UUID.randomUUID().toString().replace("-", "");
            client.call(RedisClient.Repeat.SAFE, Protocol.Command.SET, keys.storeId(), Resp.bytes(drawn), IF_ABSENT);
            // Another client may have stored its id first.
            known = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.storeId());
        }
        return here(client, keys, Resp.text(known));
    }
}
