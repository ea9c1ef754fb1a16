package dev.leasehold.jdbc;

import dev.leasehold.internal.turns.TurnMessage;
import dev.leasehold.internal.turns.WaitingLines;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Wakes waiters by LISTEN and NOTIFY. One connection and one thread serve all waiters of a store,
 * and are released when there have been no waiters for a while. A waiter marks the row it waits
 * for, so that releases of other names notify nobody. Where notifications do not arrive, or the
 * pool has no connection to spare, waiters poll.
 *
 * <p>A notification is a {@link TurnMessage}, a blank and the name. {@link WaitingLines} decides which waiter asks, and when.
 */
final class PostgresWakeups implements Wakeups, PostgresListener.Callbacks {
    private static final long START_SECONDS = 5;
    private static final Duration MARK_FRESH = Duration.ofSeconds(30);
    private static final long RETRY_AFTER_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Database database;
    private final Class<PGConnection> driver;
    /** Names that were busy; the next ask for one that became free should try to take it. */
    private final RecentNames busy;

    private final Ids ids;
    private final NamedSql mark;
    private final NamedSql announce;
    private final WaitingLines lines;

    private @Nullable PostgresListener listener;
    private boolean closed;

    /** Since when listening is disabled because it did not work, and whether that was logged. */
    private long disabledSince;

    private boolean disabled;
    private boolean reported;

    PostgresWakeups(Database database, Class<PGConnection> driver, RecentNames busy, Ids ids) {
        this.database = database;
        this.busy = busy;
        this.driver = driver;
        this.ids = ids;
        this.mark = database.dialect()
                .sql("update leasehold_lease set waited = {clock} + 60000000"
                        + " where name = :name and waited < {clock} + 45000000");
        this.announce = new NamedSql("select pg_notify(" + PostgresDialect.CHANNEL + ", :message)"
                + " from (select set_config('synchronous_commit', 'off', true)) as without_sync");
        this.lines = new WaitingLines(ids, this::announce);
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        NameWatch watch = null;
        boolean listens = false;
        try {
            if (ensureListening()) {
                watch = new NameWatch(name.value());
                watch.mark();
                listens = true;
            }
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // The next call of the waiter to the store reports the error.
        } finally {
            if (!listens && watch != null) {
                watch.close();
                watch = null;
            }
        }
        return Optional.ofNullable(watch);
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
    public void received(String message) {
        int blank = message.indexOf(' ');
        String what = message.substring(0, Math.max(0, blank));
        String name = message.substring(blank + 1);
        Optional<TurnMessage.Notice> notice = TurnMessage.parse(what);
        if (notice.isEmpty()) {
            busy.remove(name);
            lines.heard(name, freed(what));
            return;
        }
        if (notice.get() instanceof TurnMessage.Granted) {
            busy.add(name);
        }
        lines.heard(name, notice.get());
    }

    /** The token, a comma and the window. Anything else wakes a waiter too, who will see. */
    private static TurnMessage.Freed freed(String text) {
        int comma = Math.max(0, text.indexOf(','));
        return new TurnMessage.Freed(
                Math.max(0, TurnMessage.number(text.substring(0, comma))),
                TurnMessage.ofMicros(TurnMessage.number(text.substring(comma + 1))));
    }

    @Override
    public void answered(LeaseName name, Acquisition answer, Duration ttl) {
        lines.answered(name.value(), answer, ttl);
    }

    @Override
    public long windowMicros(LeaseName name) {
        return lines.windowMicros(name.value());
    }

    /** Not where nobody can hear it, and not if it would take a connection from somebody who needs it. */
    private void announce(String name, TurnMessage.Notice message) {
        boolean listens;
        synchronized (this) {
            listens = listener != null && !listener.hasEnded();
        }
        if (listens && !database.connections().isStarved()) {
            database.changes(announce, SqlParameters.of("message", message.text() + " " + name));
        }
    }

    @Override
    public boolean isNeeded() {
        return !lines.isEmpty();
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
        for (String name : lines.names()) {
            busy.remove(name);
            lines.wakeAll(name);
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
        lines.close();
    }

    private final class NameWatch implements Watch {
        private final String name;
        private final WaitingLines.Place place;
        private long markedAt;

        NameWatch(String name) {
            this.name = name;
            this.place = lines.join(name);
        }

        /** Asks for a notification when the name is released within the next minute. */
        void mark() {
            markedAt = System.nanoTime();
            database.changes(mark, SqlParameters.of("name", name));
        }

        @Override
        public void await(Duration atMost) throws InterruptedException {
            // A waiter never waits longer than its mark lasts without asking again.
            Duration longest = isStillListening() ? MARK_FRESH : POLL;
            place.await(atMost.compareTo(longest) < 0 ? atMost : longest);
        }

        private boolean isStillListening() {
            try {
                if (!ensureListening()) {
                    return false;
                }
                if (System.nanoTime() - markedAt > MARK_FRESH.toNanos() / 2) {
                    mark();
                }
                return true;
            } catch (StoreUnavailableException | StoreCorruptException e) {
                return false;
            }
        }

        @Override
        public void close() {
            place.leave();
        }
    }
}
