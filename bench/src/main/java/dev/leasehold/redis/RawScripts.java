package dev.leasehold.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/** Runs scripts over the lease store's own connections, which are not public. */
public final class RawScripts implements AutoCloseable {
    private final RedisClient client;

    public RawScripts(String url) {
        this.client = RedisClient.connect(url);
    }

    /** @param arguments the digest of the script, the number of keys, keys, arguments */
    public @Nullable Object run(String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Resp.bytes(arguments[i]);
        }
        return client.call(RedisClient.Repeat.SAFE, Protocol.Command.EVALSHA, bytes);
    }

    @Override
    public void close() {
        client.close();
    }
}
