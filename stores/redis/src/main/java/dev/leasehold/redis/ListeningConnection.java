package dev.leasehold.redis;

import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;

/**
 * A connection that waits for messages. One thread reads; others may subscribe meanwhile, one at a
 * time.
 */
final class ListeningConnection extends Connection {
    ListeningConnection(HostAndPort server, JedisClientConfig config) {
        super(server, config);
        // Silence is normal here. TCP keep-alive closes the connection when the server is gone.
        setTimeoutInfinite();
    }

    void subscribe(String channel) {
        sendCommand(Protocol.Command.SUBSCRIBE, channel);
        flush();
    }

    void unsubscribe(String channel) {
        sendCommand(Protocol.Command.UNSUBSCRIBE, channel);
        flush();
    }
}
