package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/**
 * Connections of the user's own pool. What has to be different for us (autocommit, a bound on the wait for an answer) is
 * set for the time of one statement and put back, since the pool's other users rely on what they configured.
 */
final class DataSourceConnections implements Connections {
    /** Drivers demand an executor for the moment of the timeout and use none. */
    private static final Executor SAME_THREAD = Runnable::run;

    private final DataSource source;
    private final int timeoutMillis;

    /** By identity: connections of some pools are equal to each other. */
    private final Map<Connection, Before> before = Collections.synchronizedMap(new IdentityHashMap<>());

    private volatile boolean timeoutsSupported = true;

    private record Before(boolean autoCommit, int timeoutMillis) {}

    DataSourceConnections(DataSource source, Duration timeout) {
        this.source = source;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    @Override
    public Connection take() throws SQLException {
        Connection connection = source.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            before.put(connection, new Before(autoCommit, limit(connection)));
            return connection;
        } catch (SQLException | RuntimeException e) {
            discard(connection);
            throw e;
        }
    }

    /** A server that hangs must not hang its clients; a bound that the user set is left alone. */
    private int limit(Connection connection) throws SQLException {
        if (!timeoutsSupported) {
            return timeoutMillis;
        }
        try {
            int configured = connection.getNetworkTimeout();
            if (configured == 0) {
                connection.setNetworkTimeout(SAME_THREAD, timeoutMillis);
            }
            return configured;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            timeoutsSupported = false;
            return timeoutMillis;
        }
    }

    @Override
    public void giveBack(Connection connection) {
        Before was = before.remove(connection);
        try {
            if (was != null && was.timeoutMillis == 0) {
                connection.setNetworkTimeout(SAME_THREAD, 0);
            }
            if (was != null && !was.autoCommit) {
                connection.setAutoCommit(false);
            }
            connection.close();
        } catch (SQLException e) {
            // The step is done and its answer known; what becomes of the connection is up to the pool.
            discard(connection);
        }
    }

    @Override
    public void discard(Connection connection) {
        before.remove(connection);
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It was broken, or the pool is closed; there is nobody to tell.
        }
    }

    /** The pool is the user's. */
    @Override
    public void close() {}
}
