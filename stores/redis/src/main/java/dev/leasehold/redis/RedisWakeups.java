package dev.leasehold.redis;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Listens for names that become free, on one connection and one thread for all waiters of this
 * process, and only while there are waiters. A missed message costs time, not safety: every waiter
 * checks again when the deadline has passed.
 *
 * <p>A release wakes only the waiter of this process that has waited longest: if it gets the lease, the others would ask in
 * vain. A waiter that leaves without using its signal passes it on.
 *
 * <p>Redis publishes nothing for a name without waiters: a listener marks the record each time it
 * starts to listen, and the mark stays until a message reaches no subscriber. So a waiter that asks
 * after marking is woken by every later release.
 */
final class RedisWakeups implements AutoCloseable {
    private final RedisClient client;
    private final LuaScript mark;
    private final Map<String, Set<RedisWatch>> watches = new HashMap<>();
    private @Nullable Listener listener;

    RedisWakeups(RedisClient client, LuaScript mark) {
        this.client = client;
        this.mark = mark;
    }

    /**
     * Returns when the server has confirmed the subscription, or after a timeout; the watch then
     * polls at first.
     */
    RedisWatch watch(String channel) {
        RedisWatch watch = new RedisWatch(this, channel);
        boolean opened = false;
        try {
            synchronized (this) {
                watches.computeIfAbsent(channel, c -> new LinkedHashSet<>()).add(watch);
                if (listener == null) {
                    listen();
                } else {
                    listener.subscribe(channel);
                }
            }
            watch.awaitSignal(client.address().timeout());
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

    /**
     * The listener that serves this watch. If there is none, listening is restarted for the next
     * call.
     */
    synchronized Optional<Object> listenerOf(RedisWatch watch) {
        if (listener == null && watches.containsKey(watch.channel())) {
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
        Set<RedisWatch> others = watches.get(watch.channel());
        if (others == null || !others.remove(watch)) {
            return;
        }
        if (!others.isEmpty()) {
            if (watch.isSignalled()) {
                wakeFirst(watch.channel());
            }
            return;
        }
        watches.remove(watch.channel());
        if (watches.isEmpty()) {
            close();
        } else if (listener != null) {
            listener.unsubscribe(watch.channel());
        }
    }

    @Override
    public synchronized void close() {
        if (listener != null) {
            RedisClient.discard(listener.connection);
            listener = null;
        }
    }

    private void listen() {
        Listener next;
        try {
            next = new Listener(client.listen());
        } catch (StoreUnavailableException e) {
            // The waiter's next call to the store reports the error; until then it polls.
            return;
        }
        try {
            for (String channel : watches.keySet()) {
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
        wake(channel);
    }

    private synchronized void wake(String channel) {
        for (RedisWatch watch : watches.getOrDefault(channel, Set.of())) {
            watch.wake();
        }
    }

    /** The first in order that has no signal yet. */
    private synchronized void wakeFirst(String channel) {
        for (RedisWatch watch : watches.getOrDefault(channel, Set.of())) {
            if (!watch.isSignalled()) {
                watch.wake();
                return;
            }
        }
    }

    private synchronized void ended(Listener ended) {
        if (listener == ended) {
            listener = null;
            for (String channel : watches.keySet()) {
                wake(channel);
            }
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
                connection.subscribe(channel);
            } catch (JedisException e) {
                // The reading thread gets the same error and ends.
                confirmed.remove(channel);
            }
        }

        void unsubscribe(String channel) {
            confirmed.remove(channel);
            try {
                connection.unsubscribe(channel);
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

        private void handle(List<@Nullable Object> message) {
            String kind = Resp.text(message.get(0));
            if (kind.equals("subscribe")) {
                confirmed(this, Resp.text(message.get(1)));
            } else if (kind.equals("message")) {
                wakeFirst(Resp.text(message.get(1)));
            }
        }
    }
}
