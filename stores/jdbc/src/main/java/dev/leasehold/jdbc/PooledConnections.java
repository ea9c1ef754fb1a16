package dev.leasehold.jdbc;

import dev.leasehold.internal.Secrets;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A small connection pool for stores that are opened by URL. A connection that was idle for a while
 * is validated before use. When one connection breaks, all idle connections are closed, so that a
 * server restart costs one failed step instead of one per connection. Bounded, and safe for use by
 * many threads.
 */
final class PooledConnections implements Connections {
    private static final int MAX_OPEN = 16;
    private static final int WAIT_SECONDS = 20;
    private static final long TRUSTED_IDLE_NANOS = 500_000_000L;
    private static final int VALID_WITHIN_SECONDS = 5;
    private static final long BUSY_PAUSE_MILLIS = 20;

    private final JdbcUrl url;
    private final Driver driver;
    private final Semaphore permits = new Semaphore(MAX_OPEN, true);
    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean closed;

    private record Idle(Connection connection, long sinceNanos) {}

    PooledConnections(JdbcUrl url) {
        this.url = url;
        this.driver = url.loadDriver();
    }

    @Override
    public Connection take() throws SQLException {
        awaitPermit();
        boolean taken = false;
        try {
            Connection connection = usableIdle();
            if (connection == null) {
                connection = connect();
            }
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                permits.release();
            }
        }
    }

    private void awaitPermit() throws SQLException {
        try {
            if (!permits.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new SQLTransientConnectionException("all " + MAX_OPEN + " connections are in use");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private @Nullable Connection usableIdle() throws SQLException {
        for (Idle next = pollIdle(); next != null; next = pollIdle()) {
            boolean usable = false;
            try {
                boolean fresh = System.nanoTime() - next.sinceNanos < TRUSTED_IDLE_NANOS;
                usable = fresh || next.connection.isValid(VALID_WITHIN_SECONDS);
            } finally {
                if (!usable) {
                    closeQuietly(next.connection);
                }
            }
            if (usable) {
                return next.connection;
            }
        }
        return null;
    }

    private synchronized @Nullable Idle pollIdle() throws SQLException {
        if (closed) {
            throw new SQLTransientConnectionException("the store is closed");
        }
        return idle.pollFirst();
    }

    /**
     * When several clients switch a file to the write-ahead log, SQLite rejects some of them at
     * once, regardless of its busy timeout.
     */
    private Connection connect() throws SQLException {
        long began = System.nanoTime();
        while (true) {
            try {
                return connectOnce();
            } catch (SQLException e) {
                if (!url.isBusy(e) || System.nanoTime() - began > TimeUnit.SECONDS.toNanos(WAIT_SECONDS)) {
                    throw e;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(BUSY_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private static SQLException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SQLTransientConnectionException("interrupted while waiting for a connection", e);
    }

    private Connection connectOnce() throws SQLException {
        Connection connection;
        try {
            connection = driver.connect(url.url(), url.properties());
        } catch (SQLException e) {
            throw withoutSecrets(e);
        }
        if (connection == null) {
            throw new SQLException("the driver does not accept the store's URL", "08001");
        }
        boolean ready = false;
        try {
            url.prepare(connection);
            ready = true;
            return connection;
        } finally {
            if (!ready) {
                closeQuietly(connection);
            }
        }
    }

    /** Drivers repeat the password they were given in their messages. The causes are dropped, because theirs may too. */
    private SQLException withoutSecrets(SQLException e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            String message = String.valueOf(t.getMessage());
            if (!Secrets.hide(message, url.secrets()).equals(message)) {
                return new SQLException(
                        Secrets.hide(String.valueOf(e.getMessage()), url.secrets()), e.getSQLState(), e.getErrorCode());
            }
        }
        return e;
    }

    @Override
    public void giveBack(Connection connection) {
        boolean keep;
        synchronized (this) {
            keep = !closed;
            if (keep) {
                // Most recently used first: the others age and are validated before use.
                idle.addFirst(new Idle(connection, System.nanoTime()));
            }
        }
        try {
            if (!keep) {
                closeQuietly(connection);
            }
        } finally {
            permits.release();
        }
    }

    @Override
    public void discard(Connection connection) {
        try {
            closeQuietly(connection);
        } finally {
            permits.release();
        }
        closeIdle(false);
    }

    @Override
    public void close() {
        closeIdle(true);
    }

    private void closeIdle(boolean forEver) {
        Deque<Idle> old;
        synchronized (this) {
            closed |= forEver;
            old = new ArrayDeque<>(idle);
            idle.clear();
        }
        old.forEach(o -> closeQuietly(o.connection));
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // The connection was broken, and the step has ended.
        }
    }
}
