package dev.leasehold.jdbc;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs statements, each in its own transaction, and translates errors. Safe for use by many
 * threads.
 */
final class Database implements AutoCloseable {
    /**
     * For deadlocks and lost races for a new row: the server undid the statement, so it can be sent
     * again.
     */
    private static final int MAX_TRIES = 32;

    private final Connections connections;
    private final Dialect dialect;

    Database(Connections connections, Dialect dialect) {
        this.connections = connections;
        this.dialect = dialect;
    }

    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    Dialect dialect() {
        return dialect;
    }

    Connections connections() {
        return connections;
    }

    <T> T run(Work<T> work) {
        long began = System.nanoTime();
        for (int tries = 1; ; tries++) {
            Connection connection = connect();
            boolean whole = false;
            try {
                T result = work.run(connection);
                whole = true;
                return result;
            } catch (SQLException e) {
                whole = dialect.provesThatNothingHappened(e);
                if (!dialect.isRetryable(e) || tries == MAX_TRIES || isLate(began)) {
                    throw explained(connection, e);
                }
            } finally {
                if (whole) {
                    connections.giveBack(connection);
                } else {
                    connections.discard(connection);
                }
            }
        }
    }

    /** Runs several statements in one transaction. */
    <T> T transaction(Work<T> work) {
        return run(connection -> {
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                T result = work.run(connection);
                connection.commit();
                done = true;
                return result;
            } finally {
                if (!done) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        });
    }

    private static boolean isLate(long began) {
        return System.nanoTime() - began > JdbcLeaseStore.ANSWER_WITHIN.toNanos();
    }

    /** A connection of its own, with an open transaction; to be discarded. */
    Connection connectForTransaction() {
        Connection connection = connect();
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connections.discard(connection);
            throw SqlFailures.unreachable(dialect.product(), e);
        }
    }

    private Connection connect() {
        try {
            return connections.take();
        } catch (SQLException e) {
            throw SqlFailures.unreachable(dialect.product(), e);
        }
    }

    /**
     * A statement that the server rejects met tables of a store that was moved, or tables of a
     * different shape: then the error names the differences.
     */
    private RuntimeException explained(Connection connection, SQLException e) {
        MovedStore moved = Schema.isMissingTable(e) ? Schema.movedIfKnown(connection) : null;
        if (moved != null) {
            return moved.exception();
        }
        boolean nothingHappened = dialect.provesThatNothingHappened(e);
        if (nothingHappened) {
            List<String> differences = Schema.differences(connection, dialect);
            if (!differences.isEmpty()) {
                return new StoreCorruptException(Schema.complaint(dialect, differences), e);
            }
        }
        return SqlFailures.failed(dialect.product(), nothingHappened, e);
    }

    <T> List<T> rows(NamedSql sql, SqlParameters params, RowReader<T> reader) {
        return run(connection -> rows(connection, sql, params, reader));
    }

    static <T> List<T> rows(Connection connection, NamedSql sql, SqlParameters params, RowReader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, params);
                ResultSet result = statement.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(result));
            }
            return rows;
        }
    }

    /**
     * Whether the statement changed a row. Some statements return the changed row, others its
     * count.
     */
    boolean changes(NamedSql sql, SqlParameters params) {
        return run(connection -> changes(connection, sql, params));
    }

    static boolean changes(Connection connection, NamedSql sql, SqlParameters params) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, params)) {
            if (!statement.execute()) {
                return statement.getUpdateCount() > 0;
            }
            try (ResultSet result = statement.getResultSet()) {
                return result.next();
            }
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
