package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Connections of the user's own pool. Autocommit is turned on for the time of one statement and off again where it was off,
 * since the pool's other users rely on what they configured.
 */
final class DataSourceConnections implements Connections {
    private final DataSource source;
    private final Watchdog watchdog;
    private final Set<Connection> withoutAutoCommit =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** Spares pools in autocommit, which are most, the look into the set. */
    private volatile boolean someWithout;

    DataSourceConnections(DataSource source, Duration answerWithin) {
        this.source = source;
        this.watchdog = new Watchdog(answerWithin);
    }

    @Override
    public Connection take() throws SQLException {
        Connection connection = source.getConnection();
        watchdog.begin(connection);
        try {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
                withoutAutoCommit.add(connection);
                someWithout = true;
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            discard(connection);
            throw e;
        }
    }

    @Override
    public void letWait(Connection connection) {
        watchdog.end(connection);
    }

    @Override
    public void giveBack(Connection connection) {
        try {
            if (someWithout && withoutAutoCommit.remove(connection)) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException e) {
            // The step is done and its answer known; what becomes of the connection is up to the pool.
        }
        discard(connection);
    }

    @Override
    public void discard(Connection connection) {
        watchdog.end(connection);
        if (someWithout) {
            withoutAutoCommit.remove(connection);
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It was broken, or the pool is closed; there is nobody to tell.
        }
    }

    /** The pool is the user's. */
    @Override
    public void close() {
        watchdog.close();
    }
}
