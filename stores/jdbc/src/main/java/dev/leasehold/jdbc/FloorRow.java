package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The row of {@code leasehold_lease} with the empty name, which no lease can have. Its token is the floor under the tokens of
 * new names, see {@link dev.leasehold.spi.LeaseStore#floor}. It is made when it is first needed. Every statement that makes a
 * new name locks it, and so does the rise of the floor: so a new name never starts with a floor that is out of date.
 */
final class FloorRow {
    private final Database database;
    private final NamedSql read;
    private final NamedSql create;
    private final NamedSql raise;
    private final NamedSql lock;
    private final NamedSql write;

    FloorRow(Database database, TableNames names) {
        Dialect dialect = database.dialect();
        this.database = database;
        String select = "select token from leasehold_lease where name = ''";
        this.read = dialect.sql(names.in(select));
        this.lock = dialect.sql(names.in(select + dialect.lockingRead()));
        this.create = dialect.sql(names.in(dialect.insertIfAbsent(
                "leasehold_lease",
                LeaseRow.COLUMNS + dialect.ownColumns(),
                "'', 0, 'floor', 'floor', 'first', null, 0, 0, 0, true, 0, null, null, null" + dialect.ownValues())));
        this.write = dialect.sql(names.in("update leasehold_lease set token = token where name = ''"));
        this.raise =
                dialect.sql(names.in("update leasehold_lease set token = :token where name = '' and token < :token"));
    }

    /** The floor; zero if there is no row. */
    long read() {
        return database.run(connection -> read(connection).orElse(0L));
    }

    /** The floor. There is a row afterwards. */
    long require() {
        return database.run(connection -> {
            Optional<Long> found = read(connection);
            if (found.isEmpty()) {
                create(connection);
            }
            return found.orElse(0L);
        });
    }

    /** Waits for the statements that are making new names, and returns once the floor is durable. */
    void raise(long token) {
        if (require() < token) {
            database.run(connection -> Database.changes(connection, raise, SqlParameters.of("token", token)));
        }
    }

    /** In a transaction of the caller. */
    void raise(Connection connection, long token) throws SQLException {
        create(connection);
        Database.changes(connection, raise, SqlParameters.of("token", token));
    }

    /** Locks the row until the transaction ends. */
    void lock(Connection connection) throws SQLException {
        read(connection, lock);
    }

    /** Makes the transaction a writer, where a writer locks the whole file. After a read, SQLite would not wait for another. */
    void lockFile(Connection connection) throws SQLException {
        Database.changes(connection, write, new SqlParameters());
    }

    private Optional<Long> read(Connection connection) throws SQLException {
        return read(connection, read);
    }

    private static Optional<Long> read(Connection connection, NamedSql statement) throws SQLException {
        List<Long> found = Database.rows(connection, statement, new SqlParameters(), row -> row.getLong(1));
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    private void create(Connection connection) throws SQLException {
        Database.changes(connection, create, SqlParameters.of("history", "").and("transfers", 0L));
    }
}
