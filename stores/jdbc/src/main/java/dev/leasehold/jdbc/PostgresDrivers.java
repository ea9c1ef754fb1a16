package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Consumer;
import org.postgresql.PGConnection;

/** Keeps the one class that needs the PostgreSQL driver from being loaded where the driver is another or hidden. */
final class PostgresDrivers {
    private PostgresDrivers() {}

    /**
     * Keeps statements unnamed where a pooler stands between: one that gives each transaction another session of the server
     * would run whatever that session knows under the name. A pooler tells another process id than the server's own.
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

    static Optional<Wakeups> notify(Database database, Consumer<String> woken) {
        try {
            return Optional.of(new PostgresWakeups(database, PGConnection.class, woken, new SystemIds()));
        } catch (NoClassDefFoundError e) {
            return Optional.empty();
        }
    }
}
