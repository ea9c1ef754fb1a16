package dev.leasehold.redis;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Listens for names that become free, on one connection and one thread for all waiters of this process, and only while there
 * are any. A message that is missed costs time, not safety: every waiter looks by itself when the deadline has passed.
 *
 * <p>Nothing is published where nobody waits: whoever listens marks the record, each time it has begun to listen, and the mark
 * stays until a message reached nobody. So whoever asks after it has marked is told of every release that comes later.
 */
final class RedisWakeups implements AutoCloseable {
    private final RedisClient client;
    private final Script mark;
    private final Map<String, Set<RedisWatch>> watches = new HashMap<>();
    private @Nullable Listener listener;

    RedisWakeups(RedisClient client, Script mark) {
        this.client = client;
        this.mark = mark;
    }

    /** Returns when the server has confirmed that it will tell, or could not in time; then the watch is blind at first. */
    RedisWatch watch(String channel) {
        RedisWatch watch = new RedisWatch(this, channel);
        boolean opened = false;
        try {
            synchronized (this) {
                watches.computeIfAbsent(channel, c -> new HashSet<>()).add(watch);
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
            // Whoever waits notices by itself at its next step.
            Thread.currentThread().interrupt();
            opened = true;
        } finally {
            if (!opened) {
                remove(watch);
            }
        }
        return watch;
    }

    /** Who listens for this watch. If nobody does, listening is taken up again for the next time. */
    synchronized Optional<Object> listenerOf(RedisWatch watch) {
        if (listener == null && watches.containsKey(watch.channel())) {
            listen();
        }
        return listener != null && listener.confirmed.contains(watch.channel())
                ? Optional.of(listener)
                : Optional.empty();
    }

    /** Says in the record that somebody waits; false if that could not be said. The channel is called as the record is. */
    boolean mark(String channel) {
        try {
            mark.run(client, new RedisArguments(1, 1).add(channel));
            return true;
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // The waiter's own question tells what is wrong.
            return false;
        }
    }

    synchronized void remove(RedisWatch watch) {
        Set<RedisWatch> others = watches.get(watch.channel());
        if (others == null || !others.remove(watch) || !others.isEmpty()) {
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
            // The waiter's own question tells what is wrong; until then it is blind.
            return;
        }
        try {
            for (String channel : watches.keySet()) {
                next.subscribe(channel);
            }
            Thread thread = new Thread(next, "leasehold-redis-wakeups");
            thread.setDaemon(true);
            thread.start();
            // Only now: one that nobody reads would keep the next from being made.
            listener = next;
        } catch (OutOfMemoryError noThread) {
            // Until a thread can be had, waiters look by themselves.
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

    private synchronized void ended(Listener ended) {
        if (listener == ended) {
            listener = null;
            for (String channel : watches.keySet()) {
                wake(channel);
            }
        }
    }

    /** Reads until the connection ends. Everything but reading happens under the lock of the outer object. */
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
                // The reading thread meets the same failure and ends.
                confirmed.remove(channel);
            }
        }

        void unsubscribe(String channel) {
            confirmed.remove(channel);
            try {
                connection.unsubscribe(channel);
            } catch (JedisException e) {
                // As above.
            }
        }

        @Override
        public void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    obey(Resp.list(connection.getUnflushedObject()));
                }
            } catch (JedisException | IllegalArgumentException e) {
                // Closed by us, by the server, or by something in between; or the user may not subscribe.
            } finally {
                ended(this);
                RedisClient.discard(connection);
            }
        }

        private void obey(List<@Nullable Object> message) {
            String kind = Resp.text(message.get(0));
            if (kind.equals("subscribe")) {
                confirmed(this, Resp.text(message.get(1)));
            } else if (kind.equals("message")) {
                wake(Resp.text(message.get(1)));
            }
        }
    }
}
