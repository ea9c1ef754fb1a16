package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how often a store takes a connection, which is at least once for each statement or transaction. The server's own
 * statistics are up to ten seconds late.
 */
final class CountingConnections implements Connections {
    private final PooledConnections pool;
    private final AtomicLong taken;

    CountingConnections(String url, AtomicLong taken) {
        this.pool = new PooledConnections(JdbcUrl.parse(url));
        this.taken = taken;
    }

    @Override
    public Connection take() throws SQLException {
        taken.incrementAndGet();
        return pool.take();
    }

    @Override
    public void exemptFromTimeout(Connection connection) {
        pool.exemptFromTimeout(connection);
    }

    @Override
    public boolean isStarved() {
        return pool.isStarved();
    }

    @Override
    public void giveBack(Connection connection) {
        pool.giveBack(connection);
    }

    @Override
    public void discard(Connection connection) {
        pool.discard(connection);
    }

    @Override
    public void close() {
        pool.close();
    }
}
