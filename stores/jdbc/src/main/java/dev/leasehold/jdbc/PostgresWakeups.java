package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Wakes waiters by LISTEN and NOTIFY. One connection and one thread serve all waiters of a store,
 * and are released when there have been no waiters for a while. A waiter marks the row it waits
 * for, so that releases of other names notify nobody. Where notifications do not arrive, or the
 * pool has no connection to spare, waiters poll.
 *
 * <p>A notification wakes only the waiter of this store that has waited longest: if it gets the lease, the others would ask in
 * vain. A waiter that leaves without using its signal passes it on.
 */
final class PostgresWakeups implements Wakeups, PostgresListener.Callbacks {
    private static final long START_SECONDS = 5;
    private static final long MARK_FRESH_NANOS = 30_000_000_000L;
    private static final long RETRY_AFTER_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Database database;
    private final Class<PGConnection> driver;
    private final Consumer<String> woken;
    private final Ids ids;
    private final NamedSql mark;
    /** By name, in the order of arrival. The sets are only used inside the methods of the map that compute. */
    private final Map<String, Set<NameWatch>> watches = new ConcurrentHashMap<>();

    private @Nullable PostgresListener listener;
    private boolean closed;

    /** Since when listening is disabled because it did not work, and whether that was logged. */
    private long disabledSince;

    private boolean disabled;
    private boolean reported;

    PostgresWakeups(Database database, Class<PGConnection> driver, Consumer<String> woken, Ids ids) {
        this.database = database;
        this.woken = woken;
        this.driver = driver;
        this.ids = ids;
        this.mark = database.dialect()
                .sql("update leasehold_lease set waited = {clock} + 60000000"
                        + " where name = :name and waited < {clock} + 45000000");
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        NameWatch watch = new NameWatch(name.value());
        boolean listens = false;
        try {
            if (ensureListening()) {
                watch.open();
                watch.mark();
                listens = true;
            }
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // The next call of the waiter to the store reports the error.
        } finally {
            if (!listens) {
                watch.close();
            }
        }
        return listens ? Optional.of(watch) : Optional.empty();
    }

    /** Starts listening if necessary; false if that is not possible now. */
    private boolean ensureListening() {
        @Nullable PostgresListener current;
        boolean started = false;
        synchronized (this) {
            if (closed || isDisabled()) {
                return false;
            }
            current = listener;
            if (current == null || current.hasEnded()) {
                current = start();
                started = true;
            }
            if (current == null) {
                return false;
            }
        }
        try {
            if (started) {
                sendTestNotification(current);
            }
            boolean listens = current.awaitStart(START_SECONDS);
            if (!listens && !current.hasEnded()) {
                disable("no connection for listening was available within " + START_SECONDS + " s");
            }
            return listens;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void sendTestNotification(PostgresListener listener) throws InterruptedException {
        boolean done = false;
        try {
            listener.sendTestNotification(START_SECONDS);
            done = true;
        } finally {
            if (!done) {
                // The listener may work, but the test notification will not arrive.
                listener.stop();
            }
        }
    }

    /** Null if no thread can be started; waiters then poll. */
    private @Nullable PostgresListener start() {
        PostgresListener next = new PostgresListener(database, driver, this, ids.unique());
        Thread thread = new Thread(next, "leasehold-listen");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            return null;
        }
        // Assigned after the thread has started: waiters would wait forever for a listener without
        // a thread.
        listener = next;
        return next;
    }

    private boolean isDisabled() {
        disabled = disabled && System.nanoTime() - disabledSince < RETRY_AFTER_NANOS;
        return disabled;
    }

    @Override
    public void received(String name) {
        woken.accept(name);
        watches.computeIfPresent(name, (n, waiting) -> {
            wakeFirst(waiting);
            return waiting;
        });
    }

    /** The first in order that has no signal yet. */
    private static void wakeFirst(Set<NameWatch> waiting) {
        for (NameWatch watch : waiting) {
            if (!watch.isSignalled()) {
                watch.wakes.release();
                return;
            }
        }
    }

    @Override
    public boolean isNeeded() {
        return !watches.isEmpty();
    }

    @Override
    public void ended(@Nullable String reason) {
        if (reason != null) {
            disable(reason);
        }
        wakeAll();
    }

    private synchronized void disable(String reason) {
        disabled = true;
        disabledSince = System.nanoTime();
        if (!reported) {
            reported = true;
            System.getLogger("dev.leasehold")
                    .log(
                            System.Logger.Level.DEBUG,
                            "PostgreSQL does not wake waiters, so they poll every {0} ms: {1}",
                            POLL.toMillis(),
                            reason);
        }
    }

    private void wakeAll() {
        for (String name : watches.keySet()) {
            woken.accept(name);
            watches.computeIfPresent(name, (n, waiting) -> {
                waiting.forEach(watch -> watch.wakes.release());
                return waiting;
            });
        }
    }

    @Override
    public void close() {
        PostgresListener last;
        synchronized (this) {
            closed = true;
            last = listener;
        }
        if (last != null) {
            last.stop();
        }
        wakeAll();
    }

    private final class NameWatch implements Watch {
        private final String name;
        private final Semaphore wakes = new Semaphore(0);
        private long markedAt;

        NameWatch(String name) {
            this.name = name;
        }

        boolean isSignalled() {
            return wakes.availablePermits() > 0;
        }

        /** In one step, because the last watch that leaves a set may remove it. */
        void open() {
            watches.compute(name, (n, set) -> {
                Set<NameWatch> all = set == null ? new LinkedHashSet<>() : set;
                all.add(this);
                return all;
            });
        }

        /** Asks for a notification when the name is released within the next minute. */
        void mark() {
            markedAt = System.nanoTime();
            database.changes(mark, SqlParameters.of("name", name));
        }

        @Override
        public void await(Duration atMost) throws InterruptedException {
            if (!isStillListening()) {
                Duration pause = atMost.compareTo(POLL) < 0 ? atMost : POLL;
                wakes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
            } else {
                // A waiter never waits longer than its mark lasts without asking again.
                wakes.tryAcquire(Math.min(atMost.toNanos(), MARK_FRESH_NANOS), TimeUnit.NANOSECONDS);
            }
            wakes.drainPermits();
        }

        private boolean isStillListening() {
            try {
                if (!ensureListening()) {
                    return false;
                }
                if (System.nanoTime() - markedAt > MARK_FRESH_NANOS / 2) {
                    mark();
                }
                return true;
            } catch (StoreUnavailableException | StoreCorruptException e) {
                return false;
            }
        }

        @Override
        public void close() {
            watches.computeIfPresent(name, (n, set) -> {
                if (set.remove(this) && isSignalled()) {
                    wakeFirst(set);
                }
                return set.isEmpty() ? null : set;
            });
        }
    }
}
