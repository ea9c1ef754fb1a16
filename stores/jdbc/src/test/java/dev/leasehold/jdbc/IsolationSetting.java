package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A database as its clients may have configured it, and an isolation level that it supports. */
record IsolationSetting(String label, TestServer server, DataSource source, Level level, boolean locksRows) {
    private static final List<Level> LEVELS = List.of(
            new Level(Connection.TRANSACTION_READ_UNCOMMITTED, "read uncommitted"),
            new Level(Connection.TRANSACTION_READ_COMMITTED, "read committed"),
            new Level(Connection.TRANSACTION_REPEATABLE_READ, "repeatable read"),
            new Level(Connection.TRANSACTION_SERIALIZABLE, "serializable"));

    record Level(int number, String label) {}

    static List<IsolationSetting> all() throws SQLException {
        PostgresServer postgres = AllDatabases.POSTGRES;
        MariaDbServer mariaDb = AllDatabases.MARIADB;
        H2Server h2 = AllDatabases.H2;
        SqliteServer sqlite = AllDatabases.SQLITE;
        List<IsolationSetting> all = new ArrayList<>();
        addLevels(all, "PostgreSQL", postgres, postgres.dataSource(), true);
        addLevels(all, "MariaDB", mariaDb, mariaDb.dataSource(), true);
        addLevels(all, "MariaDB that counts changed rows only", mariaDb, mariaDb.countingChangedRows(), true);
        if (AllDatabases.HAS_MYSQL) {
            MySqlServer mySql = AllDatabases.MYSQL;
            addLevels(all, "MySQL", mySql, mySql.dataSource(), true);
        }
        addLevels(all, "H2", h2, h2.dataSource(), true);
        addLevels(all, "SQLite", sqlite, readerFirst(sqlite), false);
        return all;
    }

    private static void addLevels(
            List<IsolationSetting> all, String label, TestServer server, DataSource source, boolean locksRows)
            throws SQLException {
        try (Connection connection = source.getConnection()) {
            for (Level level : LEVELS) {
                if (connection.getMetaData().supportsTransactionIsolationLevel(level.number())) {
                    all.add(new IsolationSetting(label, server, source, level, locksRows));
                }
            }
        }
    }

    /** Transactions begin as readers, which is SQLite's default. */
    private static DataSource readerFirst(SqliteServer server) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(2000);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:" + server.url());
        return source;
    }

    Connection transaction() throws SQLException {
        Connection connection = source.getConnection();
        connection.setTransactionIsolation(level.number());
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public String toString() {
        return label + ", " + level.label();
    }
}
