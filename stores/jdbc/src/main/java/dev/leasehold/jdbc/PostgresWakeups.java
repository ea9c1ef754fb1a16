package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Watch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wakes waiters by LISTEN and NOTIFY. One connection and one thread serve all waiters of a store, and are given back when
 * nobody has waited for a while. A waiter marks the row it waits for: releases of other names announce nothing.
 */
final class PostgresWakeups implements Wakeups {
    private static final int LOOK_UP_MILLIS = 1000;
    private static final int IDLE_ROUNDS = 10;
    private static final long START_SECONDS = 5;
    private static final long MARK_FRESH_NANOS = 30_000_000_000L;
    private static final Duration POLL = Duration.ofMillis(200);

    private final Database database;
    private final Class<PGConnection> driver;
    private final Consumer<String> woken;
    private final NamedSql mark;
    private final Map<String, Set<NameWatch>> watches = new ConcurrentHashMap<>();
    private @Nullable Listener listener;
    private boolean closed;

    PostgresWakeups(Database database, Class<PGConnection> driver, Consumer<String> woken) {
        this.database = database;
        this.woken = woken;
        this.driver = driver;
        this.mark = database.dialect()
                .sql("update leasehold_lease set waited = {clock} + 60000000"
                        + " where name = :name and waited < {clock} + 45000000");
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        NameWatch watch = new NameWatch(name.value());
        try {
            if (!listening()) {
                return Optional.empty();
            }
            watches.computeIfAbsent(watch.name, n -> ConcurrentHashMap.newKeySet())
                    .add(watch);
            watch.mark();
            return Optional.of(watch);
        } catch (StoreUnavailableException e) {
            watch.close();
            return Optional.empty();
        }
    }

    /** Starts to listen if nobody does; false if that is not possible now. */
    private synchronized boolean listening() {
        if (closed) {
            return false;
        }
        Listener current = listener;
        if (current == null || current.ended) {
            current = new Listener();
            listener = current;
            Thread thread = new Thread(current, "leasehold-listen");
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) {
                // Until a thread can be had, waiters look by themselves.
                current.ended = true;
                return false;
            }
        }
        try {
            return current.started.await(START_SECONDS, TimeUnit.SECONDS) && !current.ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void wakeAll() {
        watches.values().forEach(set -> set.forEach(NameWatch::wake));
    }

    @Override
    public void close() {
        Listener last;
        synchronized (this) {
            closed = true;
            last = listener;
        }
        if (last != null) {
            last.stop();
        }
        wakeAll();
    }

    /** Reads what the server announces until it is stopped, nobody waits any more, or the connection breaks. */
    private final class Listener implements Runnable {
        private final CountDownLatch started = new CountDownLatch(1);
        private volatile boolean stopped;
        private volatile boolean ended;
        private volatile @Nullable Connection connected;

        /** The connection is cut, since its reader would notice only after a while that it is to end. */
        void stop() {
            stopped = true;
            Connection connection = connected;
            try {
                if (connection != null && !ended) {
                    connection.abort(Runnable::run);
                }
            } catch (SQLException e) {
                // Then it ends at the next look.
            }
        }

        @Override
        public void run() {
            try {
                Connection connection = database.connections().take();
                boolean whole = false;
                try {
                    connected = connection;
                    listen(connection);
                    whole = true;
                } finally {
                    ended = true;
                    if (whole) {
                        database.connections().giveBack(connection);
                    } else {
                        database.connections().discard(connection);
                    }
                }
            } catch (SQLException | RuntimeException e) {
                // Waiters poll until one of them starts to listen again.
            } finally {
                ended = true;
                started.countDown();
                wakeAll();
            }
        }

        private void listen(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("listen " + PostgresDialect.CHANNEL);
                started.countDown();
                database.connections().letWait(connection);
                PGConnection listening = connection.unwrap(driver);
                int idle = 0;
                while (!stopped && idle < IDLE_ROUNDS) {
                    PGNotification[] heard = listening.getNotifications(LOOK_UP_MILLIS);
                    for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
                        watches.getOrDefault(notification.getParameter(), Set.of())
                                .forEach(NameWatch::wake);
                    }
                    idle = watches.isEmpty() ? idle + 1 : 0;
                }
                ended = true;
                statement.execute("unlisten " + PostgresDialect.CHANNEL);
            }
        }
    }

    private final class NameWatch implements Watch {
        private final String name;
        private final Semaphore wakes = new Semaphore(0);
        private long markedAt;

        NameWatch(String name) {
            this.name = name;
        }

        void wake() {
            woken.accept(name);
            wakes.release();
        }

        /** Asks whoever releases the name to say so, for the next minute. */
        void mark() {
            markedAt = System.nanoTime();
            database.changes(mark, Params.of("name", name));
        }

        @Override
        public void await(Duration atMost) throws InterruptedException {
            if (!stillHears()) {
                Duration pause = atMost.compareTo(POLL) < 0 ? atMost : POLL;
                wakes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
            } else {
                // Longer than a mark lasts nobody waits without asking again.
                wakes.tryAcquire(Math.min(atMost.toNanos(), MARK_FRESH_NANOS), TimeUnit.NANOSECONDS);
            }
            wakes.drainPermits();
        }

        private boolean stillHears() {
            try {
                if (!listening()) {
                    return false;
                }
                if (System.nanoTime() - markedAt > MARK_FRESH_NANOS / 2) {
                    mark();
                }
                return true;
            } catch (StoreUnavailableException e) {
                return false;
            }
        }

        @Override
        public void close() {
            watches.computeIfPresent(name, (n, set) -> {
                set.remove(this);
                return set.isEmpty() ? null : set;
            });
        }
    }
}
