package dev.leasehold.jdbc;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The register inside a caller's transaction. A record that was read stays locked until the
 * transaction ends. Unlike the store's own register it never repeats a statement: a server that
 * undid one may have undone the whole transaction.
 */
final class TransactionRegister implements CasRegister {
    private final Connection connection;
    private final JdbcRegister.Writes writes;
    private final NamedSql read;
    private final NamedSql clock;

    TransactionRegister(Connection connection, Dialect dialect, Ids ids) {
        this.connection = connection;
        this.writes = new JdbcRegister.Writes(dialect, ids);
        this.read = dialect.sql("select {clock}, version, content from leasehold_register where entry = :entry"
                + dialect.lockingRead());
        this.clock = dialect.sql("select {clock}, 0, null");
    }

    /** Carries the driver's exception through code that does not know SQL. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final SQLException reason;

        Failure(SQLException reason) {
            super(reason);
            this.reason = reason;
        }

        SQLException reason() {
            return reason;
        }
    }

    @Override
    public Reading read(String key) {
        try {
            SqlParameters params = SqlParameters.of("entry", key);
            List<Reading> found = Database.rows(connection, read, params, JdbcRegister::reading);
            return (found.isEmpty() ? Database.rows(connection, clock, params, JdbcRegister::reading) : found).get(0);
        } catch (SQLException e) {
            throw new Failure(e);
        }
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        try {
            return writes.compareAndSet(
                    (sql, params) -> Database.changes(connection, sql, params), key, expected, value);
        } catch (SQLException e) {
            throw new Failure(e);
        }
    }

    /** Not supported: listing inside a transaction would lock rows that it does not need. */
    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return List.of();
    }
}
