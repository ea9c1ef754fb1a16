package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/**
 * Tables are created on request, also by concurrent clients; tables of another shape are left
 * alone.
 */
@Requires("mariadbd")
class SchemaTest {
    private static final int CLIENTS = 6;

    @RegisterExtension
    static final PostgresServer POSTGRES = PostgresServer.SHARED;

    @RegisterExtension
    static final MariaDbServer MARIADB = MariaDbServer.SHARED;

    @TempDir
    Path directory;

    @Test
    void concurrentFirstClientsCreateOneStoreOnPostgres() throws Exception {
        for (int round = 0; round < 3; round++) {
            assertOneStore(POSTGRES.url() + "?currentSchema=" + newSchema(POSTGRES));
        }
    }

    @Test
    void concurrentFirstClientsCreateOneStoreOnSqliteAndH2() throws Exception {
        assertOneStore("sqlite:" + directory.resolve("fresh.db"));
        assertOneStore("h2:mem:" + UUID.randomUUID());
    }

    static void assertOneStore(String url) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<StoreId>> opening = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                opening.add(threads.submit(() -> {
                    try (LeaseStore store = new JdbcStoreProvider().create(url)) {
                        return store.id();
                    }
                }));
            }
            Set<StoreId> ids = new HashSet<>();
            for (Future<StoreId> id : opening) {
                ids.add(id.get(30, TimeUnit.SECONDS));
            }
            assertThat(ids).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void opensNoStoreInADatabaseThatHasNone() throws Exception {
        String postgres = POSTGRES.url() + "?currentSchema=" + newSchema(POSTGRES);
        String database = "empty_" + UUID.randomUUID().toString().replace("-", "");
        MARIADB.createDatabase(database);
        Path sqlite = directory.resolve("missing.db");
        Path h2 = directory.resolve("missing-h2");
        for (String url :
                List.of(postgres, MARIADB.url().replace("/leases", "/" + database), "sqlite:" + sqlite, "h2:" + h2)) {
            for (int tries = 0; tries < 2; tries++) {
                assertThatThrownBy(() -> Stores.open(url)).as(url).isInstanceOf(StoreMissingException.class);
            }
            Stores.create(url).close();
            Stores.open(url).close();
        }
    }

    /** A database that contains only fences is not a store, although it has the tables of one. */
    @Test
    void aFenceDoesNotMakeAStore() throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("fences.db"));
        JdbcFence.prepare(source);
        JdbcFence.prepare(source);

        assertThatThrownBy(() -> JdbcLeaseStore.open(source)).isInstanceOf(StoreMissingException.class);
        JdbcLeaseStore.create(source).close();
        JdbcFence.prepare(source);
        JdbcLeaseStore.open(source).close();
    }

    @Test
    void tableOfAnotherShapeIsReportedAndLeftUnchanged() throws Exception {
        String schema = newSchema(POSTGRES);
        execute(
                POSTGRES,
                "create table " + schema + ".leasehold_lease (name varchar(20) primary key, token text not null,"
                        + " owner text not null)");
        String url = POSTGRES.url() + "?currentSchema=" + schema;
        assertThatThrownBy(() -> new JdbcStoreProvider().create(url))
                .isInstanceOf(StoreCorruptException.class)
                .hasMessageContaining("leasehold_lease.name has room for 20 instead of 200")
                .hasMessageContaining("leasehold_lease.token holds text instead of whole numbers")
                .hasMessageContaining("has a column owner that must be filled")
                .hasMessageContaining("leasehold_lease has no column attempt")
                .hasMessageContaining("schema/postgresql.sql");
        execute(POSTGRES, "insert into " + schema + ".leasehold_lease values ('mine', 'still', 'here')");
    }

    @Test
    void missingColumnIsReportedWhenTheTableIsUsed() throws Exception {
        String file = "sqlite:" + directory.resolve("changed.db");
        try (LeaseStore store = new JdbcStoreProvider().create(file)) {
            SQLiteDataSource source = new SQLiteDataSource();
            source.setUrl("jdbc:" + file);
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("alter table leasehold_lease drop column checkpoint");
            }
            assertThatThrownBy(() -> store.inspect(LeaseName.of("any")))
                    .isInstanceOf(StoreCorruptException.class)
                    .hasMessageContaining("leasehold_lease has no column checkpoint");
        }
    }

    private static String newSchema(TestServer server) throws SQLException {
        String schema = "fresh_" + UUID.randomUUID().toString().replace("-", "");
        execute(server, "create schema " + schema);
        return schema;
    }

    private static void execute(TestServer server, String sql) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
