package dev.leasehold.redis;

import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Connections to one Redis: made when needed, kept, at most {@value #MAX_CONNECTIONS}. Made from a URL, see {@link #connect}.
 *
 * <p>Safe for use by many threads. A server that was restarted is reconnected to by the next call.
 */
public final class RedisClient implements AutoCloseable {
    static final int MAX_CONNECTIONS = 16;

    /** How long a connection may have been idle and still be used without a look. */
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RedisAddress address;
    private final RedisFailures failures;
    private final RedisSockets sockets;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
    /** Last in, first out: what was used last is most likely alive, and unneeded ones age at the other end. */
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();

    private volatile boolean closed;

    private record Idle(PooledConnection connection, long sinceNanos) {}

    private RedisClient(RedisAddress address) {
        this.address = address;
        this.failures = new RedisFailures(address);
        this.sockets = new RedisSockets(address);
    }

    /**
     * Names the server; the first connection is made by the first call.
     *
     * @param url {@code redis://[[user]:password@]host[:port][/database][?ns=namespace&timeout=2s&ca=file.pem]}, or {@code
     *     rediss://} for TLS
     * @throws IllegalArgumentException if it is malformed; the message repeats no part of it
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

    /** Whether a step may be sent again when the connection turned out to be gone. */
    enum Repeat {
        /** Its effect is the same when it happens twice. */
        SAFE,
        /** The second answer would not tell what the first one did. */
        NEVER
    }

    /** Sends one command. Throws what the failure means, except that an unknown script is left to the caller. */
    @Nullable
    Object call(Repeat repeat, ProtocolCommand name, byte[]... arguments) {
        return exchange(repeat, connection -> {
            connection.sendCommand(name, arguments);
            return connection.getOne();
        });
    }

    /** Sends commands in one round trip. An answer that is an error is thrown only after all were read. */
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
                    // The others are most likely gone as well: the server was restarted, or something in between was.
                    closeIdle();
                    if (repeat == Repeat.NEVER || timedOut(e)) {
                        throw e;
                    }
                }
            }
            return finish(sockets.connect(), exchange);
        } catch (JedisNoScriptException e) {
            throw e;
        } catch (JedisException e) {
            throw failures.explain(e);
        } finally {
            permits.release();
        }
    }

    /** A connection that was used before. One that must not fail for being old is tried first, if it may be. */
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
            // The server answered; the connection is as good as before.
            usable = true;
            throw e;
        } finally {
            if (usable && !connection.isBroken() && !closed) {
                idle.addFirst(new Idle(connection, System.nanoTime()));
                if (closed) {
                    // Closed in between, by somebody who did not find it there.
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
            throw new IllegalStateException("the connections to Redis at " + address + " were closed");
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

    /** A connection of its own, outside the bound, for whoever listens. The caller closes it. */
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
            // It was broken already.
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
        sockets.close();
    }
}
