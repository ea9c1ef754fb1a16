package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemWatchdog;
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
    private final SystemWatchdog<Connection> watchdog;
    private final Set<Connection> withoutAutoCommit =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** Spares pools in autocommit, which are most, the look into the set. */
    private volatile boolean someWithout;

    DataSourceConnections(DataSource source, Duration answerWithin) {
        this.source = source;
        this.watchdog = new SystemWatchdog<>(answerWithin, DataSourceConnections::cut);
    }

    /**
     * A proxy that joins the caller's transaction would have its grant rolled back with it, and the token issued twice; and
     * turning autocommit on would end that transaction. Known by name, since this module does not depend on Spring.
     */
    static DataSource requireOwnTransactions(DataSource source) {
        for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getSimpleName().equals("TransactionAwareDataSourceProxy")) {
                throw new IllegalArgumentException(
                        "a " + type.getSimpleName() + " puts statements into the transaction of"
                                + " its caller, but a lease must not be rolled back with it: hand in the pool itself");
            }
        }
        return source;
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

    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            // A driver that cannot do this works in this process, and waits for nobody.
        }
    }

    /** The pool is the user's. */
    @Override
    public void close() {
        watchdog.close();
    }
}
