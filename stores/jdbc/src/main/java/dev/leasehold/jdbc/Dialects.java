package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** Detects which database a connection leads to. */
final class Dialects {
    private Dialects() {}

    static Dialect detect(Connections connections) {
        try {
            Connection connection = connections.take();
            boolean whole = false;
            try {
                Dialect found = of(connection.getMetaData());
                whole = true;
                return found;
            } finally {
                if (whole) {
                    connections.giveBack(connection);
                } else {
                    connections.discard(connection);
                }
            }
        } catch (SQLException e) {
            throw SqlFailures.unreachable("the database", e);
        }
    }

    static Dialect of(DatabaseMetaData meta) throws SQLException {
        String product = meta.getDatabaseProductName();
        String version = meta.getDatabaseProductVersion();
        String known = (product + " " + version).toLowerCase(Locale.ROOT);
        if (known.contains("mariadb")) {
            return new MariaDbDialect();
        }
        if (known.startsWith("postgresql")) {
            return new PostgresDialect();
        }
        if (known.startsWith("sqlite")) {
            return new SqliteDialect();
        }
        if (known.startsWith("h2")) {
            return new H2Dialect();
        }
        if (known.startsWith("mysql") && meta.getDatabaseMajorVersion() >= MySqlDialect.LEAST_VERSION) {
            return new MySqlDialect();
        }
        throw new IllegalArgumentException("Leasehold cannot keep leases in " + SqlFailures.inOneLine(product) + " "
                + SqlFailures.inOneLine(version)
                + ": it supports PostgreSQL, MariaDB 10.6, MySQL 8.0 and later versions, SQLite and H2");
    }
}
