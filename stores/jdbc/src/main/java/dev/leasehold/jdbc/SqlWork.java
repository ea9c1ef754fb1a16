package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What is to be written under a fence, in the fence's own transaction.
 *
 * @param operation what tells this write from another one of the same grant, where it may happen once: a business key, or a
 *     digest of what is written; at most {@value JdbcFence#MAX_OPERATION} characters
 */
public record SqlWork(String operation, Body body) {
    /** Writes through the connection; it neither commits nor rolls back, and does not change autocommit. */
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
