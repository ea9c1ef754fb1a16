package dev.leasehold.jdbc;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A store in a database that moves away. Its tables get other names: the database lets statements
 * that are under way finish first, and every later one fails. The fences of the database stay.
 */
final class OutgoingJdbcStore implements OutgoingStore {
    private static final List<String> TABLES = List.of("leasehold_lease", "leasehold_history", "leasehold_register");

    private final Database database;
    private final MovedStore state;
    private final LeaseStore content;

    private OutgoingJdbcStore(Database database, MovedStore state) {
        this.database = database;
        this.state = state;
        this.content = JdbcLeaseStore.moved(database, state.id());
    }

    static OutgoingJdbcStore start(Database database, String to) {
        MovedStore started = database.run(connection -> {
            MovedStore state = Schema.startMove(connection, database.dialect(), to);
            for (String table : TABLES) {
                rename(connection, table);
            }
            return state;
        });
        return new OutgoingJdbcStore(database, started);
    }

    private static void rename(Connection connection, String table) throws SQLException {
        if (Schema.hasTable(connection, table)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("alter table " + table + " rename to " + TableNames.MOVED.in(table));
            } catch (SQLException e) {
                // A second mover may have been faster.
                if (Schema.hasTable(connection, table)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public StoreId id() {
        return state.id();
    }

    @Override
    public LeaseStore content() {
        return content;
    }

    @Override
    public void allCopied() {
        database.run(connection -> {
            Schema.write(connection, database.dialect(), state.copied());
            return state;
        });
    }

    @Override
    public void close() {
        content.close();
    }
}
