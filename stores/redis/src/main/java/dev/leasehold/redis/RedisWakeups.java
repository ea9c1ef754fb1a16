package dev.leasehold.redis;

import dev.leasehold.internal.turns.TurnMessage;
import dev.leasehold.internal.turns.WaitingLines;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Listens for names that become free, on one connection and one thread for all waiters of this
 * process, and only while there are waiters. A missed message costs time, not safety: every waiter
 * checks again when the deadline has passed.
 *
 * <p>A message is a token, and the window if there is one, if the name became free, or else {@link TurnMessage.Notice}.
 * {@link WaitingLines} decides which waiter asks, and when.
 *
 * <p>Redis publishes nothing for a name without waiters: a listener marks the record each time it
 * starts to listen, and the mark stays until a message reaches no subscriber. So a waiter that asks
 * after marking is woken by every later release.
 */
final class RedisWakeups implements AutoCloseable {
    private final RedisClient client;
    private final RedisKeys keys;
    private final LuaScript mark;
    private final String channelEnd;
    private final WaitingLines lines;
    private @Nullable Listener listener;
    private boolean closed;

    RedisWakeups(RedisClient client, RedisKeys keys, LuaScript mark, Ids ids) {
        this.client = client;
        this.keys = keys;
        this.mark = mark;
        this.channelEnd = RedisKeys.channelEnd(client.address().database());
        this.lines = new WaitingLines(ids, this::announce);
    }

    private void announce(String channel, TurnMessage.Notice message) {
        client.call(
                RedisClient.Repeat.SAFE,
                Protocol.Command.PUBLISH,
                Resp.bytes(channel + channelEnd),
                Resp.bytes(message.text()));
    }

    /**
     * Returns when the server has confirmed the subscription, or after a timeout; the watch then
     * polls at first.
     */
    RedisWatch watch(LeaseName name) {
        String channel = keys.channel(name.value());
        RedisWatch watch = new RedisWatch(this, lines.join(channel), channel);
        boolean opened = false;
        try {
            subscribe(watch);
            watch.place().await(client.address().timeout());
            watch.mark();
            opened = true;
        } catch (InterruptedException e) {
            // The waiter notices the interrupt at its next step.
            Thread.currentThread().interrupt();
            opened = true;
        } finally {
            if (!opened) {
                remove(watch);
            }
        }
        return watch;
    }

    private synchronized void subscribe(RedisWatch watch) {
        if (listener == null) {
            listen();
        } else if (listener.confirmed.contains(watch.channel())) {
            watch.place().wake();
        } else {
            listener.subscribe(watch.channel());
        }
    }

    /**
     * The listener that serves this watch. If there is none, listening is restarted for the next
     * call.
     */
    synchronized Optional<Object> listenerOf(RedisWatch watch) {
        if (listener == null && lines.isWaitedFor(watch.channel())) {
            listen();
        }
        return listener != null && listener.confirmed.contains(watch.channel())
                ? Optional.of(listener)
                : Optional.empty();
    }

    /**
     * Marks in the record that a client waits; false if that failed. The channel and the record's
     * key are the same text.
     */
    boolean mark(String channel) {
        try {
            mark.run(client, new ScriptArguments(1, 1).add(channel));
            return true;
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // The waiter's next call to the store reports the error.
            return false;
        }
    }

    synchronized void remove(RedisWatch watch) {
        if (!lines.isWaitedFor(watch.channel())) {
            return;
        }
        watch.place().leave();
        if (lines.isEmpty()) {
            endListening();
        } else if (listener != null && !lines.isWaitedFor(watch.channel())) {
            listener.unsubscribe(watch.channel());
        }
    }

    long windowMicros(LeaseName name) {
        return lines.isUsed() ? lines.windowMicros(keys.channel(name.value())) : 0;
    }

    void answered(LeaseName name, Acquisition answer, Duration ttl) {
        if (lines.isUsed()) {
            lines.answered(keys.channel(name.value()), answer, ttl);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            endListening();
        }
        lines.close();
    }

    private synchronized void endListening() {
        if (listener != null) {
            RedisClient.discard(listener.connection);
            listener = null;
        }
    }

    private void listen() {
        if (closed) {
            return;
        }
        Listener next;
        try {
            next = new Listener(client.listen());
        } catch (StoreUnavailableException e) {
            // The waiter's next call to the store reports the error; until then it polls.
            return;
        }
        try {
            for (String channel : lines.names()) {
                next.subscribe(channel);
            }
            Thread thread = new Thread(next, "leasehold-redis-wakeups");
            thread.setDaemon(true);
            thread.start();
            // Assigned after the thread has started: a listener without a thread would prevent the
            // next one.
            listener = next;
        } catch (OutOfMemoryError noThread) {
            // Until a thread can be started, waiters poll.
        } finally {
            if (listener != next) {
                RedisClient.discard(next.connection);
            }
        }
    }

    private synchronized void confirmed(Listener by, String channel) {
        by.confirmed.add(channel);
        lines.wakeAll(channel);
    }

    private void received(String channel, byte[] message) {
        Optional<TurnMessage.Notice> notice = TurnMessage.parse(Resp.text(message));
        lines.heard(channel, notice.isPresent() ? notice.get() : freed(message));
    }

    /** The token as in the record, and the window as a number. Anything else wakes a waiter too, who will see. */
    private static TurnMessage.Freed freed(byte[] message) {
        if (message.length < Long.BYTES) {
            return new TurnMessage.Freed(0, Duration.ZERO);
        }
        String window = new String(message, Long.BYTES, message.length - Long.BYTES, StandardCharsets.US_ASCII);
        return new TurnMessage.Freed(
                Math.max(0, ByteBuffer.wrap(message).getLong()), TurnMessage.ofMicros(TurnMessage.number(window)));
    }

    private synchronized void ended(Listener ended) {
        if (listener == ended) {
            listener = null;
            lines.names().forEach(lines::wakeAll);
        }
    }

    /**
     * Reads until the connection ends. Everything but reading holds the lock of the outer object.
     */
    private final class Listener implements Runnable {
        private final ListeningConnection connection;
        private final Set<String> confirmed = new HashSet<>();

        Listener(ListeningConnection connection) {
            this.connection = connection;
        }

        void subscribe(String channel) {
            try {
                connection.subscribe(channel + channelEnd);
            } catch (JedisException e) {
                // The reading thread gets the same error and ends.
                confirmed.remove(channel);
            }
        }

        void unsubscribe(String channel) {
            confirmed.remove(channel);
            try {
                connection.unsubscribe(channel + channelEnd);
            } catch (JedisException e) {
                // The reading thread gets the same error and ends.
            }
        }

        @Override
        public void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    handle(Resp.list(connection.getUnflushedObject()));
                }
            } catch (JedisException | IllegalArgumentException e) {
                // The connection was closed, or the user may not subscribe.
            } finally {
                ended(this);
                RedisClient.discard(connection);
            }
        }

        private String channel(List<@Nullable Object> message) {
            String channel = Resp.text(message.get(1));
            return channel.substring(0, channel.length() - channelEnd.length());
        }

        private void handle(List<@Nullable Object> message) {
            String kind = Resp.text(message.get(0));
            if (kind.equals("subscribe")) {
                confirmed(this, channel(message));
            } else if (kind.equals("message")) {
                received(channel(message), Resp.raw(message.get(2)));
            }
        }
    }
}
