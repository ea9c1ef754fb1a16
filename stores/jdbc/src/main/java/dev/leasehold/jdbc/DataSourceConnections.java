package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemWatchdog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections from the user's pool. Autocommit is switched on for one statement and restored
 * afterwards, because the pool's other users rely on their own setting.
 */
final class DataSourceConnections implements Connections {
    private static final int MAX_WRAPPED = 10;

    private final DataSource source;
    private final SystemWatchdog<Connection> watchdog;
    private final Set<Connection> withoutAutoCommit =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** How long callers may wait for a connection before a listener has to give its own back. */
    private static final long STARVED_NANOS = 1_000_000_000L;

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long lastServedNanos;

    /** Lets pools in autocommit mode, which most are, skip the lookup in the set. */
    private volatile boolean anyWithoutAutoCommit;

    DataSourceConnections(DataSource source, Duration answerWithin) {
        requireOwnTransactions(source);
        this.source = source;
        this.watchdog = new SystemWatchdog<>(answerWithin, DataSourceConnections::cut);
    }

    /**
     * Rejects a proxy that joins the caller's transaction: a rollback would undo the grant and the
     * token would be issued twice, and switching autocommit on would commit the caller's work. The
     * proxy is recognized by name, because this module does not depend on Spring.
     */
    private static void requireOwnTransactions(DataSource source) {
        DataSource next = source;
        for (int depth = 0; next != null && depth < MAX_WRAPPED; depth++) {
            for (Class<?> type = next.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getSimpleName().equals("TransactionAwareDataSourceProxy")) {
                    throw new IllegalArgumentException("a " + type.getSimpleName() + " puts statements into its"
                            + " caller's transaction, but Leasehold's own statements must neither roll back nor"
                            + " commit with it: pass the pool itself");
                }
            }
            next = target(next);
        }
    }

    /** The data source behind a Spring proxy, or null. */
    private static @Nullable DataSource target(DataSource source) {
        try {
            Object target = source.getClass().getMethod("getTargetDataSource").invoke(source);
            return target instanceof DataSource inner ? inner : null;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    @Override
    public Connection take() throws SQLException {
        Connection connection = fromPool();
        boolean taken = false;
        try {
            watchdog.begin(connection);
            if (!connection.getAutoCommit()) {
                withoutAutoCommit.add(connection);
                anyWithoutAutoCommit = true;
                connection.setAutoCommit(true);
            }
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                discard(connection);
            }
        }
    }

    private Connection fromPool() throws SQLException {
        if (waiting.getAndIncrement() == 0) {
            lastServedNanos = System.nanoTime();
        }
        try {
            return source.getConnection();
        } finally {
            lastServedNanos = System.nanoTime();
            waiting.decrementAndGet();
        }
    }

    @Override
    public boolean isStarved() {
        return waiting.get() > 0 && System.nanoTime() - lastServedNanos > STARVED_NANOS;
    }

    @Override
    public void exemptFromTimeout(Connection connection) {
        watchdog.end(connection);
    }

    /**
     * Restores autocommit. An error here does not change the outcome of the step, which is known by
     * now.
     */
    @Override
    public void giveBack(Connection connection) {
        try {
            if (anyWithoutAutoCommit && withoutAutoCommit.remove(connection)) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException | RuntimeException e) {
            // The connection is broken; the pool will notice.
        } finally {
            close(connection);
        }
    }

    @Override
    public void discard(Connection connection) {
        giveBack(connection);
    }

    private void close(Connection connection) {
        watchdog.end(connection);
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // The connection was broken or the pool is closed, and the step has ended.
        }
    }

    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            // A driver without abort() runs in this process and does not wait for a server.
        }
    }

    /** Does not close the pool, which belongs to the user. */
    @Override
    public void close() {
        watchdog.close();
    }
}
