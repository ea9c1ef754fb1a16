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
 * Connections of the user's own pool. Autocommit is turned on for the time of one statement and off again where it was off,
 * since the pool's other users rely on what they configured.
 */
final class DataSourceConnections implements Connections {
    private static final int MAX_WRAPPED = 10;

    private final DataSource source;
    private final SystemWatchdog<Connection> watchdog;
    private final Set<Connection> withoutAutoCommit =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** How long nobody may get a connection before one that only listens is worth more to the others. */
    private static final long STARVED_NANOS = 1_000_000_000L;

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long lastServedNanos;

    /** Spares pools in autocommit, which are most, the look into the set. */
    private volatile boolean anyWithoutAutoCommit;

    DataSourceConnections(DataSource source, Duration answerWithin) {
        requireOwnTransactions(source);
        this.source = source;
        this.watchdog = new SystemWatchdog<>(answerWithin, DataSourceConnections::cut);
    }

    /**
     * A proxy that joins the caller's transaction would have its grant rolled back with it, and the token issued twice; and
     * turning autocommit on would end that transaction. Known by name, since this module does not depend on Spring.
     */
    private static void requireOwnTransactions(DataSource source) {
        DataSource next = source;
        for (int depth = 0; next != null && depth < MAX_WRAPPED; depth++) {
            for (Class<?> type = next.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getSimpleName().equals("TransactionAwareDataSourceProxy")) {
                    throw new IllegalArgumentException(
                            "a " + type.getSimpleName() + " puts statements into the transaction of"
                                    + " its caller, but what Leasehold does on its own must neither be rolled back nor"
                                    + " committed with it: hand in the pool itself");
                }
            }
            next = target(next);
        }
    }

    /** What a proxy of Spring's stands for, or null. */
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

    /** As it was: what the step answered is known, or that it failed. What becomes of a broken connection is up to the pool. */
    @Override
    public void giveBack(Connection connection) {
        try {
            if (anyWithoutAutoCommit && withoutAutoCommit.remove(connection)) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException | RuntimeException e) {
            // It is broken; the pool will find out.
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
