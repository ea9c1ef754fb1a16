package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Reads what the server announces, on a connection that it keeps meanwhile, until it is stopped, nobody waits any more, the
 * connection breaks, or somebody else needs it.
 *
 * <p>Before anybody relies on it, a notification of our own must have arrived. A pooler that gives every transaction another
 * session of the server accepts a LISTEN and delivers nothing; and a pool that has only this one connection cannot send.
 */
final class PostgresListener implements Runnable {
    private static final int LOOK_UP_MILLIS = 500;
    private static final int TRIAL_LOOK_MILLIS = 50;
    private static final long SEND_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long ARRIVE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int IDLE_ROUNDS = 20;
    private static final String STARVED = "the pool has no connection to spare for listening";

    private final Database database;
    private final Class<PGConnection> driver;
    private final Ears ears;

    /** A channel that nobody else knows: what is left of it in a pooler's session never carries anything. */
    private final String trial;

    private final CountDownLatch trying = new CountDownLatch(1);
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile long sentAt;
    private volatile boolean sent;
    private volatile boolean stopped;
    private volatile boolean ended;
    private volatile @Nullable Connection connected;

    /** Who is told. */
    interface Ears {
        void heard(String name);

        boolean isNeeded();

        /** @param because why it cannot work here and is not worth another try soon; null if it just ended */
        void ended(@Nullable String because);
    }

    PostgresListener(Database database, Class<PGConnection> driver, Ears ears, String unique) {
        this.database = database;
        this.driver = driver;
        this.ears = ears;
        this.trial = "leasehold_" + unique;
    }

    boolean hasEnded() {
        return ended;
    }

    /** By whoever started it: sends, on another connection, what has to arrive. */
    void sendTrial(long withinSeconds) throws InterruptedException {
        if (trying.await(withinSeconds, TimeUnit.SECONDS) && !ended) {
            database.changes(new NamedSql("select pg_notify(:trial, '')"), SqlParameters.of("trial", trial));
            sentAt = System.nanoTime();
            sent = true;
        }
    }

    /** Whether it listens by now. One that does not is given up: it may wait for its connection for long. */
    boolean awaitStart(long withinSeconds) throws InterruptedException {
        if (!started.await(withinSeconds, TimeUnit.SECONDS)) {
            stop();
            return false;
        }
        return !ended;
    }

    /** The connection is cut, since its reader would notice only after a while that it is to end. */
    void stop() {
        stopped = true;
        Connection connection = connected;
        try {
            if (connection != null && !ended) {
                connection.abort(Runnable::run);
            }
        } catch (SQLException | RuntimeException e) {
            // Then it ends at the next look.
        }
    }

    @Override
    public void run() {
        String because = null;
        try {
            Connection connection = database.connections().take();
            boolean whole = false;
            try {
                connected = connection;
                because = listen(connection);
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
            trying.countDown();
            started.countDown();
            ears.ended(because);
        }
    }

    /** Returns why it is not worth another try, or null. */
    private @Nullable String listen(Connection connection) throws SQLException {
        PGConnection listening = connection.unwrap(driver);
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + trial);
            trying.countDown();
            database.connections().letWait(connection);
            String deaf = tryOut(listening);
            statement.execute("unlisten " + trial);
            if (deaf != null || stopped) {
                return deaf;
            }
            statement.execute("listen " + PostgresDialect.CHANNEL);
            started.countDown();
            String because = hear(listening);
            ended = true;
            statement.execute("unlisten " + PostgresDialect.CHANNEL);
            return because;
        }
    }

    private @Nullable String tryOut(PGConnection listening) throws SQLException {
        long began = System.nanoTime();
        while (!stopped) {
            PGNotification[] heard = listening.getNotifications(TRIAL_LOOK_MILLIS);
            if (heard != null && heard.length > 0) {
                return null;
            }
            if (database.connections().isStarved()) {
                return STARVED;
            }
            boolean late = sent ? System.nanoTime() - sentAt > ARRIVE_NANOS : System.nanoTime() - began > SEND_NANOS;
            if (late) {
                return "a notification of our own did not arrive, as behind a pooler that gives each transaction"
                        + " another session (PgBouncer with pool_mode=transaction)";
            }
        }
        return null;
    }

    private @Nullable String hear(PGConnection listening) throws SQLException {
        int idle = 0;
        while (!stopped && idle < IDLE_ROUNDS) {
            PGNotification[] heard = listening.getNotifications(LOOK_UP_MILLIS);
            for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
                ears.heard(notification.getParameter());
            }
            if (database.connections().isStarved()) {
                return STARVED;
            }
            idle = ears.isNeeded() ? 0 : idle + 1;
        }
        return null;
    }
}
