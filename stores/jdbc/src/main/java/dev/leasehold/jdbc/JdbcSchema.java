package dev.leasehold.jdbc;

import java.util.List;
import javax.sql.DataSource;

/**
 * The tables as text, for Flyway, Liquibase or a database administrator. The statements may be run
 * again: they create only what is missing.
 */
public final class JdbcSchema {
    /** A database, and an expression of its SQL that is a new random id. */
    private record Script(Dialect dialect, String randomId) {}

    private static final List<Script> ALL = List.of(
            new Script(new PostgresDialect(), "md5(random()::text || clock_timestamp()::text)"),
            new Script(new MariaDbDialect(), "replace(uuid(), '-', '')"),
            new Script(new MySqlDialect(), "replace(uuid(), '-', '')"),
            new Script(new SqliteDialect(), "lower(hex(randomblob(16)))"),
            new Script(new H2Dialect(), "replace(cast(random_uuid() as varchar), '-', '')"));

    private JdbcSchema() {}

    /**
     * All statements that make a database a store, including the one that gives the store its id.
     * The database draws the id, so that one script makes different stores in different databases.
     *
     * @param database {@code postgresql}, {@code mariadb}, {@code mysql}, {@code sqlite} or {@code h2}
     */
    public static String ddl(String database) {
        for (Script script : ALL) {
            if (script.dialect().schema().equals(database + ".sql")) {
                return text(script);
            }
        }
        throw new IllegalArgumentException("there are no statements for this database: use one of "
                + ALL.stream()
                        .map(script -> script.dialect().schema().replace(".sql", ""))
                        .toList());
    }

    /** The statements for the database of this pool. */
    public static String ddl(DataSource source) {
        try (Connections connections = new DataSourceConnections(source, JdbcLeaseStore.ANSWER_WITHIN)) {
            return ddl(Dialects.detect(connections).schema().replace(".sql", ""));
        }
    }

    private static String text(Script script) {
        return Schema.script(script.dialect()).stripTrailing() + "\n\n-- The id of this store, drawn once.\n"
                + "insert into leasehold_meta (item, content)\nselect 'store-id', " + script.randomId()
                + "\nwhere not exists (select 1 from leasehold_meta where item = 'store-id');\n";
    }
}
