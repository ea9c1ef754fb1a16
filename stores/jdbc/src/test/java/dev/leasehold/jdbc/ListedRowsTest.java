package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteDataSource;

/** A page of a list reads its own rows, and none of the many before and behind them. The database counts. */
class ListedRowsTest {
    /** On each side of a few names in the middle. */
    private static final int MANY = 2_000;

    private static final int FEW = 20;

    /** A server may plan a statement anew when it has seen it some times. */
    private static final int REPETITIONS = 12;

    abstract static class OnADatabase {
        private SingleConnectionPool pool;
        private LeaseStore store;

        /** Of a database without tables. */
        abstract DataSource emptyDatabase() throws Exception;

        /** What the connection has read until now. */
        abstract long read(Connection connection) throws SQLException;

        /** How much of that is a row of a page, at most. */
        abstract int mostForARow();

        @BeforeEach
        void fill() throws Exception {
            pool = new SingleConnectionPool(emptyDatabase());
            store = JdbcLeaseStore.create(pool);
            store.acquire(LeaseName.of("a"), AttemptId.of("attempt-1"), Holder.of("h"), Duration.ofMinutes(1));
            assertThat(store.register().compareAndSet("a", CasRegister.ABSENT, "value"))
                    .isTrue();
            Connection connection = pool.getConnection();
            connection.setAutoCommit(false);
            copy(connection, "leasehold_lease", "name");
            copy(connection, "leasehold_register", "entry");
            connection.commit();
            connection.setAutoCommit(true);
        }

        @AfterEach
        void close() throws SQLException {
            store.close();
            pool.close();
        }

        /** Copies the row of 'a'. */
        private static void copy(Connection connection, String table, String key) throws SQLException {
            StringJoiner columns = new StringJoiner(", ");
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select * from " + table + " where 1 = 0")) {
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    columns.add(row.getMetaData().getColumnName(i).toLowerCase(Locale.ROOT));
                }
            }
            assertThat(columns.toString()).startsWith(key + ", ");
            String others = columns.toString().substring(key.length());
            try (PreparedStatement insert = connection.prepareStatement("insert into " + table + " (" + columns
                    + ") select ?" + others + " from " + table + " where " + key + " = 'a'")) {
                for (int i = 0; i < MANY; i++) {
                    for (String start : i < FEW ? new String[] {"b/", "m/", "y/"} : new String[] {"b/", "y/"}) {
                        insert.setString(1, start + (10_000 + i));
                        insert.executeUpdate();
                    }
                }
            }
        }

        @Test
        void pageReadsItsOwnRows() throws SQLException {
            String nearTheEnd = "y/" + (10_000 + MANY - FEW - 1);
            assertReadsItsRows("few names with a prefix", "m/", "");
            assertReadsItsRows("the last of a prefix that many have", "y/", nearTheEnd);
            assertReadsItsRows("the last of all names", "", nearTheEnd);
        }

        private void assertReadsItsRows(String page, String prefix, String after) throws SQLException {
            long before = read(pool.getConnection());
            for (int i = 0; i < REPETITIONS; i++) {
                assertThat(store.list(prefix, after, 100)).hasSize(FEW);
                assertThat(store.names(prefix, after, 100)).hasSize(FEW);
                assertThat(store.register().keys(prefix, after, 100)).hasSize(FEW);
                assertThat(store.register().readings(prefix, after, 100)).hasSize(FEW);
            }
            assertThat((read(pool.getConnection()) - before) / (4 * REPETITIONS))
                    .as("read for %s", page)
                    .isBetween((long) FEW, (long) FEW * mostForARow());
        }
    }

    @Nested
    class Postgres extends OnADatabase {
        @RegisterExtension
        static final PostgresServer SERVER = PostgresServer.SHARED;

        @Override
        DataSource emptyDatabase() throws SQLException {
            String url = SERVER.emptyDatabase();
            PGSimpleDataSource source = (PGSimpleDataSource) SERVER.dataSource();
            source.setDatabaseName(url.substring(url.lastIndexOf('/') + 1));
            return source;
        }

        @Override
        long read(Connection connection) throws SQLException {
            // Takes effect when its transaction ends.
            number(connection, "select pg_stat_force_next_flush() is null, 1");
            return number(
                            connection,
                            "select '', sum(seq_tup_read) from pg_stat_user_tables where relname in"
                                    + " ('leasehold_lease', 'leasehold_register')")
                    + number(connection, "select '', sum(idx_tup_read) from pg_stat_user_indexes");
        }

        @Override
        int mostForARow() {
            return 2;
        }
    }

    abstract static class InnoDb extends OnADatabase {
        private final InnoDbServer server;

        InnoDb(InnoDbServer server) {
            this.server = server;
        }

        @Override
        DataSource emptyDatabase() throws SQLException {
            String url = server.emptyDatabase();
            return server.dataSourceOf(url.replaceAll(".*/|\\?.*", ""));
        }

        @Override
        long read(Connection connection) throws SQLException {
            return number(connection, "show session status like 'Handler_read_next'")
                    + number(connection, "show session status like 'Handler_read_prev'")
                    + number(connection, "show session status like 'Handler_read_key'")
                    + number(connection, "show session status like 'Handler_read_rnd_next'");
        }

        /** The question for what was read reads too. */
        @Override
        int mostForARow() {
            return 3;
        }
    }

    @Nested
    @Requires("mariadbd")
    class MariaDb extends InnoDb {
        @RegisterExtension
        static final MariaDbServer SERVER = MariaDbServer.SHARED;

        MariaDb() {
            super(SERVER);
        }
    }

    @Nested
    @Requires(InstalledProgram.MYSQL)
    class MySql extends InnoDb {
        @RegisterExtension
        static final MySqlServer SERVER = MySqlServer.SHARED;

        MySql() {
            super(SERVER);
        }
    }

    /** Counts the steps of its virtual machine. */
    @Nested
    class Sqlite extends OnADatabase {
        @RegisterExtension
        static final SqliteServer SERVER = SqliteServer.SHARED;

        private final AtomicLong steps = new AtomicLong();

        @Override
        DataSource emptyDatabase() {
            SQLiteDataSource source = new SQLiteDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection connection = super.getConnection();
                    ProgressHandler.setHandler(connection, 1, new ProgressHandler() {
                        @Override
                        protected int progress() {
                            steps.incrementAndGet();
                            return 0;
                        }
                    });
                    return connection;
                }
            };
            source.setUrl("jdbc:" + SERVER.emptyDatabase());
            return source;
        }

        @Override
        long read(Connection connection) {
            return steps.get();
        }

        @Override
        int mostForARow() {
            return 60;
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(2);
        }
    }
}
