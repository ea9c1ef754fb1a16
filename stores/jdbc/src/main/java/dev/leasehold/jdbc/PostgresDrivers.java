package dev.leasehold.jdbc;

import java.util.Optional;
import java.util.function.Consumer;
import org.postgresql.PGConnection;

/** Keeps the one class that needs the PostgreSQL driver from being loaded where the driver is another or hidden. */
final class PostgresDrivers {
    private PostgresDrivers() {}

    static Optional<Wakeups> notify(Database database, Consumer<String> woken) {
        try {
            return Optional.of(new PostgresWakeups(database, PGConnection.class, woken));
        } catch (NoClassDefFoundError e) {
            return Optional.empty();
        }
    }
}
