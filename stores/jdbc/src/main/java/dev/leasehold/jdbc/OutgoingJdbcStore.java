package dev.leasehold.jdbc;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.MovingStore;
import dev.leasehold.model.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A store in a database that moves away. Its tables get other names: the database lets statements
 * that are under way finish first, and every later one fails. The fences of the database stay.
 *
 * <p>A transaction that stays open locks the item with the id, so that no other process moves the
 * store at the same time. The same transaction records that everything was copied.
 */
final class OutgoingJdbcStore extends MovingStore {
    /** In the order in which the steps of clients lock them, so that deadlocks are rare. */
    private static final List<String> TABLES = List.of("leasehold_history", "leasehold_lease", "leasehold_register");

    private static final int MAX_TRIES = 16;

    /** A lock that another process holds for longer than this is no deadlock: it moves the store. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Database database;
    private final Connection lock;

    private OutgoingJdbcStore(Database database, Connection lock, MovedStore state) {
        super(state, JdbcLeaseStore.moved(database, state.id()));
        this.database = database;
        this.lock = lock;
    }

    static OutgoingJdbcStore start(Database database, String to) {
        Schema.requireStore(database);
        Connection lock = database.connectForTransaction();
        boolean started = false;
        try {
            MovedStore state = beginAfterDeadlocks(lock, database.dialect(), to);
            started = true;
            return new OutgoingJdbcStore(database, lock, state);
        } catch (SQLException e) {
            throw new StoreUnavailableException(
                    "the store cannot be moved away: " + SqlFailures.inOneLine(e)
                            + ". Nothing was changed by this move."
                            + " Another process may be moving it now, or this user may not rename the tables",
                    e);
        } finally {
            if (!started) {
                database.connections().discard(lock);
            }
        }
    }

    /**
     * Clients use the tables while they are renamed, in an order that the database chooses. In a
     * deadlock one side is told to begin again.
     */
    private static MovedStore beginAfterDeadlocks(Connection connection, Dialect dialect, String to)
            throws SQLException {
        long began = System.nanoTime();
        for (int tries = 1; ; tries++) {
            try {
                return begin(connection, dialect, to);
            } catch (SQLException e) {
                boolean tooLong = tries == MAX_TRIES || System.nanoTime() - began > MOST_NANOS;
                if (!dialect.isRetryable(e) || tooLong) {
                    throw e;
                }
            }
        }
    }

    /**
     * Records the move and renames the tables, both under the lock: what was read before it may be
     * out of date. Where that is not one transaction, it is taken back if it fails.
     */
    private static MovedStore begin(Connection connection, Dialect dialect, String to) throws SQLException {
        // The first statement: after a read, SQLite would not wait for a writer.
        Schema.lock(connection);
        MovedStore before = Schema.moved(connection);
        MovedStore state = MovedStore.toward(to, Schema.idOf(connection, before), before);
        try {
            Schema.write(connection, dialect, state);
            for (String table : TABLES) {
                rename(connection, table, TableNames.MOVED.in(table));
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            if (before == null) {
                takeBack(connection, state);
            }
            throw e;
        }
        Schema.lock(connection);
        return state;
    }

    private static void takeBack(Connection connection, MovedStore state) throws SQLException {
        for (String table : TABLES) {
            rename(connection, TableNames.MOVED.in(table), table);
        }
        Schema.unmove(connection, state.id());
        connection.commit();
    }

    private static void rename(Connection connection, String table, String name) throws SQLException {
        if (TableShapes.exists(connection, table)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("alter table " + table + " rename to " + name);
            }
        }
    }

    @Override
    protected void record(MovedStore next) {
        try {
            Schema.write(lock, database.dialect(), next);
            lock.commit();
            Schema.lock(lock);
        } catch (SQLException e) {
            throw SqlFailures.failed(database.dialect().product(), false, e);
        }
    }

    @Override
    public void close() {
        database.connections().discard(lock);
        super.close();
    }
}
