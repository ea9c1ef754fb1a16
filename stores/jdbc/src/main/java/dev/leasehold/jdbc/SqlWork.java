package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A write under a fence, run in the fence's own transaction.
 *
 * @param operation identifies this write among the writes of the grant when only one is admitted: a
 *     business key, or a digest of the data; at most {@value JdbcFence#MAX_OPERATION} characters
 */
public record SqlWork(String operation, Body body) {
    /**
     * Writes through the connection. It neither commits nor rolls back, and does not change
     * autocommit.
     */
    @FunctionalInterface
    public interface Body {
        void write(Connection connection) throws SQLException;
    }

    public SqlWork {
        JdbcFence.requireOperation(operation);
    }

    public static SqlWork of(String operation, Body body) {
        return new SqlWork(operation, body);
    }
}
