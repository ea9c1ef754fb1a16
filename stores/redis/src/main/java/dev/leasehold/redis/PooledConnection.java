package dev.leasehold.redis;

import java.net.SocketTimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A connection that sends a command and waits for its answer, with a timeout. */
final class PooledConnection extends Connection {
    private final WatchdogSocket socket;

    private PooledConnection(WatchdogSocket socket, JedisClientConfig config) {
        super(socket, config);
        this.socket = socket;
    }

    /** Connects and authenticates. */
    static PooledConnection open(WatchdogSocket socket, JedisClientConfig config) {
        try {
            return watched(socket, () -> new PooledConnection(socket, config));
        } finally {
            socket.end();
        }
    }

    /**
     * @throws JedisConnectionException caused by a {@link SocketTimeoutException} if no answer
     *     arrives in time
     */
    <T extends @Nullable Object> T ask(Supplier<T> exchange) {
        socket.begin();
        try {
            return watched(socket, exchange);
        } finally {
            socket.end();
        }
    }

    private static <T extends @Nullable Object> T watched(WatchdogSocket socket, Supplier<T> exchange) {
        try {
            return exchange.get();
        } catch (JedisConnectionException e) {
            throw socket.timedOut() ? new JedisConnectionException(new SocketTimeoutException("no answer")) : e;
        }
    }
}
