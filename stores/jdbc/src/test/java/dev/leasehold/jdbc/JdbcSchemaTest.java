package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** Printed statements make a store that opens without creating anything. */
class JdbcSchemaTest {
    @RegisterExtension
    static final PostgresServer POSTGRES = PostgresServer.SHARED;

    @TempDir
    Path directory;

    @Test
    void printedStatementsMakeAStoreOnEveryDatabase() throws Exception {
        for (DataSource source : List.of(postgres(), sqlite(), h2())) {
            assertThatThrownBy(() -> JdbcLeaseStore.open(source)).isInstanceOf(StoreMissingException.class);
            assertThatThrownBy(() -> JdbcFence.open(source))
                    .isInstanceOf(StoreMissingException.class)
                    .hasMessageContaining("leasehold_fence")
                    .hasMessageContaining("nothing was created");
            assertThatThrownBy(() -> JdbcFence.open(source)).isInstanceOf(StoreMissingException.class);

            String ddl = JdbcSchema.ddl(source);
            run(source, ddl);
            run(source, ddl);

            try (LeaseStore first = JdbcLeaseStore.open(source);
                    LeaseStore second = JdbcLeaseStore.create(source)) {
                assertThat(first.id()).isEqualTo(second.id());
            }
            JdbcFence.open(source);
        }
    }

    @Test
    void twoDatabasesFromOneScriptAreTwoStores() throws Exception {
        DataSource one = h2();
        DataSource other = h2();
        run(one, JdbcSchema.ddl("h2"));
        run(other, JdbcSchema.ddl("h2"));
        try (LeaseStore first = JdbcLeaseStore.open(one);
                LeaseStore second = JdbcLeaseStore.open(other)) {
            assertThat(first.id()).isNotEqualTo(second.id());
        }
    }

    @Test
    void unknownDatabaseIsRefusedWithTheKnownOnes() {
        assertThat(JdbcSchema.ddl("mariadb")).contains("engine = InnoDB", "store-id");
        assertThatThrownBy(() -> JdbcSchema.ddl("oracle"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("postgresql, mariadb, mysql, sqlite, h2");
    }

    private static void run(DataSource source, String ddl) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : ddl.split(";\\n(\\n|$)", 0)) {
                statement.execute(sql);
            }
        }
    }

    private static DataSource postgres() throws SQLException {
        String url = POSTGRES.emptyDatabase();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:" + POSTGRES.port() + url.substring(url.lastIndexOf('/')));
        source.setUser("postgres");
        return source;
    }

    private DataSource sqlite() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("printed.db"));
        return source;
    }

    private static DataSource h2() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return source;
    }
}
