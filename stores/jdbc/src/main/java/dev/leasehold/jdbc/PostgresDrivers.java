package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.postgresql.PGConnection;

/**
 * Isolates the one class that needs the PostgreSQL driver, so that it is not loaded where the
 * driver is absent or hidden.
 */
final class PostgresDrivers {
    private PostgresDrivers() {}

    /**
     * Disables named statements behind a pooler that gives each transaction another server session:
     * that session may know a different statement under the name. A pooler reports another process
     * id than the server.
     */
    static void disableNamedStatementsBehindPooler(Connection connection) throws SQLException {
        PGConnection server = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            if (!row.next() || row.getInt(1) != server.getBackendPID()) {
                server.setPrepareThreshold(0);
            }
        }
    }

    static Optional<Wakeups> notify(Database database, RecentNames busy) {
        try {
            return Optional.of(new PostgresWakeups(database, PGConnection.class, busy, new SystemIds()));
        } catch (NoClassDefFoundError e) {
            return Optional.empty();
        }
    }
}
