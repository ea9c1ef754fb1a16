package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Reads the server's notifications on a dedicated connection until it is stopped, no client waits
 * any more, the connection breaks, or another thread needs the connection.
 *
 * <p>Before waiters rely on it, a test notification must have arrived. A pooler that gives every
 * transaction another server session accepts LISTEN but delivers nothing, and a pool with a single
 * connection cannot send.
 */
final class PostgresListener implements Runnable {
    private static final int READ_MILLIS = 500;
    private static final int TEST_READ_MILLIS = 50;
    private static final long SEND_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long ARRIVE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int IDLE_ROUNDS = 20;
    private static final String STARVED = "the pool has no connection to spare for listening";

    private final Database database;
    private final Class<PGConnection> driver;
    private final Callbacks callbacks;

    /** A unique channel: a LISTEN that stays in a session of a pooler never receives anything. */
    private final String testChannel;

    private final CountDownLatch listeningForTest = new CountDownLatch(1);
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile long sentAt;
    private volatile boolean sent;
    private volatile boolean stopped;
    private volatile boolean ended;
    private volatile @Nullable Connection connected;

    /** Receives the listener's events. */
    interface Callbacks {
        void received(String name);

        boolean isNeeded();

        /**
         * @param reason why listening cannot work here and should not be retried soon; null if it
         *     just ended
         */
        void ended(@Nullable String reason);
    }

    PostgresListener(Database database, Class<PGConnection> driver, Callbacks callbacks, String unique) {
        this.database = database;
        this.driver = driver;
        this.callbacks = callbacks;
        this.testChannel = "leasehold_" + unique;
    }

    boolean hasEnded() {
        return ended;
    }

    /**
     * Called by the thread that started the listener: sends the test notification on another
     * connection.
     */
    void sendTestNotification(long withinSeconds) throws InterruptedException {
        if (listeningForTest.await(withinSeconds, TimeUnit.SECONDS) && !ended) {
            database.changes(new NamedSql("select pg_notify(:channel, '')"), SqlParameters.of("channel", testChannel));
            sentAt = System.nanoTime();
            sent = true;
        }
    }

    /**
     * Whether the listener has started. A listener that has not is stopped, because it may wait for
     * a connection for a long time.
     */
    boolean awaitStart(long withinSeconds) throws InterruptedException {
        if (!started.await(withinSeconds, TimeUnit.SECONDS)) {
            stop();
            return false;
        }
        return !ended;
    }

    /** Aborts the connection, because its reader would notice the stop only after a while. */
    void stop() {
        stopped = true;
        Connection connection = connected;
        try {
            if (connection != null && !ended) {
                connection.abort(Runnable::run);
            }
        } catch (SQLException | RuntimeException e) {
            // The reader then stops after its current read.
        }
    }

    @Override
    public void run() {
        String reason = null;
        try {
            Connection connection = database.connections().take();
            boolean whole = false;
            try {
                connected = connection;
                reason = listen(connection);
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
            // Waiters poll until one of them starts a new listener.
        } finally {
            ended = true;
            listeningForTest.countDown();
            started.countDown();
            callbacks.ended(reason);
        }
    }

    /** Returns why listening should not be retried soon, or null. */
    private @Nullable String listen(Connection connection) throws SQLException {
        PGConnection listening = connection.unwrap(driver);
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + testChannel);
            listeningForTest.countDown();
            database.connections().exemptFromTimeout(connection);
            String problem = testDelivery(listening);
            statement.execute("unlisten " + testChannel);
            if (problem != null || stopped) {
                return problem;
            }
            String channel = channel(statement);
            statement.execute("listen " + channel);
            started.countDown();
            String reason = readNotifications(listening);
            ended = true;
            statement.execute("unlisten " + channel);
            return reason;
        }
    }

    private static String channel(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select " + PostgresDialect.CHANNEL)) {
            row.next();
            return row.getString(1);
        }
    }

    private @Nullable String testDelivery(PGConnection listening) throws SQLException {
        long began = System.nanoTime();
        while (!stopped) {
            PGNotification[] received = listening.getNotifications(TEST_READ_MILLIS);
            if (received != null && received.length > 0) {
                return null;
            }
            if (database.connections().isStarved()) {
                return STARVED;
            }
            boolean late = sent ? System.nanoTime() - sentAt > ARRIVE_NANOS : System.nanoTime() - began > SEND_NANOS;
            if (late) {
                return "a test notification did not arrive, as happens behind a pooler that gives each transaction"
                        + " another session (PgBouncer with pool_mode=transaction)";
            }
        }
        return null;
    }

    private @Nullable String readNotifications(PGConnection listening) throws SQLException {
        int idle = 0;
        while (!stopped && idle < IDLE_ROUNDS) {
            PGNotification[] received = listening.getNotifications(READ_MILLIS);
            for (PGNotification notification : received == null ? new PGNotification[0] : received) {
                callbacks.received(notification.getParameter());
            }
            if (database.connections().isStarved()) {
                return STARVED;
            }
            idle = callbacks.isNeeded() ? 0 : idle + 1;
        }
        return null;
    }
}
