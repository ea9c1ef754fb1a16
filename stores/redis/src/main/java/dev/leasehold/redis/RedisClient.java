package dev.leasehold.redis;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Connections to one Redis server: opened on demand, kept, at most {@value #MAX_CONNECTIONS}.
 * Created from a URL, see {@link #connect}.
 *
 * <p>Safe for use by many threads. After a server restart the next call reconnects.
 */
public final class RedisClient implements AutoCloseable {
    static final int MAX_CONNECTIONS = 16;

    /** How long a connection may be idle and still be used without a check. */
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RedisAddress address;
    private final RedisFailures failures;
    private final RedisSockets sockets;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
    /**
     * Last in, first out: the connection used last is most likely alive, and surplus ones age at
     * the other end.
     */
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();

    private volatile boolean closed;

    private record Idle(PooledConnection connection, long sinceNanos) {}

    private RedisClient(RedisAddress address) {
        this.address = address;
        this.failures = new RedisFailures(address, this::moved);
        this.sockets = new RedisSockets(address);
    }

    /**
     * Creates a client; the first call opens the first connection.
     *
     * @param url {@code
     *     redis://[[user]:password@]host[:port][/database][?ns=namespace&timeout=2s&ca=file.pem]},
     *     or {@code rediss://} for TLS
     * @throws IllegalArgumentException if the URL is malformed; the message repeats no part of it
     */
    public static RedisClient connect(String url) {
        return new RedisClient(RedisAddress.parse(url));
    }

    RedisAddress address() {
        return address;
    }

    RedisFailures failures() {
        return failures;
    }

    /** Where the store went; null if it is here, or if Redis gives no answer. */
    private @Nullable MovedStore moved() {
        try {
            RedisKeys keys = new RedisKeys(address.namespace());
            return RedisStoreId.moved(this, keys, RedisStoreId.text(this, keys));
        } catch (StoreUnavailableException | StoreCorruptException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether a command may be sent again after its connection broke. */
    enum Repeat {
        /** The effect is the same if the command runs twice. */
        SAFE,
        /** The answer to a repetition would not show what the first command did. */
        NEVER
    }

    /** Sends one command and translates failures. An unknown script is left to the caller. */
    @Nullable
    Object call(Repeat repeat, ProtocolCommand name, byte[]... arguments) {
        return exchange(repeat, connection -> {
            connection.sendCommand(name, arguments);
            return connection.getOne();
        });
    }

    /**
     * Sends commands in one round trip. An error among the answers is thrown after all answers are
     * read.
     */
    List<@Nullable Object> pipeline(Repeat repeat, List<CommandArguments> commands) {
        return exchange(repeat, connection -> {
            for (CommandArguments command : commands) {
                connection.sendCommand(command);
            }
            List<@Nullable Object> answers = new ArrayList<>(commands.size());
            for (Object answer : connection.getMany(commands.size())) {
                if (answer instanceof JedisDataException error) {
                    throw error;
                }
                answers.add(answer);
            }
            return answers;
        });
    }

    /** Runs scripts in one round trip, each with its own answer or error. They may be sent again. */
    List<Object> evalshaAll(List<byte[][]> commands) {
        return exchange(Repeat.SAFE, connection -> {
            for (byte[][] arguments : commands) {
                connection.sendCommand(Protocol.Command.EVALSHA, arguments);
            }
            return connection.getMany(commands.size());
        });
    }

    private interface Exchange<T extends @Nullable Object> {
        T with(Connection connection);
    }

    private <T extends @Nullable Object> T exchange(Repeat repeat, Exchange<T> exchange) {
        enter();
        try {
            PooledConnection kept = kept(repeat);
            if (kept != null) {
                try {
                    return finish(kept, exchange);
                } catch (JedisConnectionException e) {
                    // The other connections are most likely broken too, because the server or
                    // something in between restarted.
                    closeIdle();
                    if (repeat == Repeat.NEVER || timedOut(e)) {
                        throw e;
                    }
                }
            }
            return finish(connect(kept != null), exchange);
        } catch (JedisNoScriptException e) {
            throw e;
        } catch (JedisException e) {
            throw failures.explain(e);
        } finally {
            permits.release();
        }
    }

    /** @param sent whether the command was already sent through another connection, which broke */
    private PooledConnection connect(boolean sent) {
        try {
            return sockets.connect();
        } catch (JedisConnectionException e) {
            if (sent) {
                throw e;
            }
            throw failures.notConnected(e);
        }
    }

    /**
     * A connection that was used before. If the command must not be repeated, the connection is
     * tested first.
     */
    private @Nullable PooledConnection kept(Repeat repeat) {
        Idle kept = idle.pollFirst();
        if (kept == null) {
            return null;
        }
        PooledConnection connection = kept.connection;
        boolean usable = false;
        try {
            usable = repeat == Repeat.SAFE
                    || System.nanoTime() - kept.sinceNanos <= TRUSTED_NANOS
                    || answers(connection);
        } finally {
            if (!usable) {
                discard(connection);
                closeIdle();
            }
        }
        return usable ? connection : null;
    }

    private static boolean answers(PooledConnection connection) {
        try {
            return connection.ask(connection::ping);
        } catch (JedisException e) {
            return false;
        }
    }

    /** Uses the connection, and keeps it afterwards unless it is broken. */
    private <T extends @Nullable Object> T finish(PooledConnection connection, Exchange<T> exchange) {
        boolean usable = false;
        try {
            T answer = connection.ask(() -> exchange.with(connection));
            usable = true;
            return answer;
        } catch (JedisDataException e) {
            // The server answered, so the connection is intact.
            usable = true;
            throw e;
        } finally {
            if (usable && !connection.isBroken() && !closed) {
                idle.addFirst(new Idle(connection, System.nanoTime()));
                if (closed) {
                    // The client was closed meanwhile, and close() did not see this connection.
                    closeIdle();
                }
            } else {
                discard(connection);
            }
        }
    }

    private static boolean timedOut(JedisConnectionException failure) {
        return failure.getCause() instanceof java.net.SocketTimeoutException;
    }

    private void enter() {
        if (closed) {
            throw new IllegalStateException("the connections to " + address.server() + " were closed");
        }
        try {
            if (!permits.tryAcquire() && !permits.tryAcquire(address.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
                throw failures.unavailable("is too slow: all " + MAX_CONNECTIONS + " connections were in use for "
                        + address.timeout().toMillis() + " ms; nothing was sent, try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(
                    "interrupted while waiting for a connection to Redis; nothing was sent", e);
        }
    }

    /** Opens a connection for a listener, not counted in the maximum. The caller closes it. */
    ListeningConnection listen() {
        try {
            return sockets.listen();
        } catch (JedisException e) {
            throw failures.explain(e);
        }
    }

    private void closeIdle() {
        for (Idle each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
            discard(each.connection);
        }
    }

    static void discard(Connection connection) {
        try {
            connection.disconnect();
        } catch (JedisException e) {
            // It was already broken.
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
        sockets.close();
    }
}
