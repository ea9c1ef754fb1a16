package dev.leasehold.jdbc;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;
import org.postgresql.ds.PGSimpleDataSource;

/** Real processes on PostgreSQL, with a guarded row in the same database as the fence. */
class PostgresNemesisTest extends NemesisContract {
    /**
     * Shorter than the default, so that a holder that was cut off returns while faults are still
     * injected.
     */
    private static final int ANSWER_SECONDS = 2;

    @Override
    protected Site openSite(Path directory) throws Exception {
        RestartablePostgres server = RestartablePostgres.start(directory.resolve("postgres"));
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return Integer.toString(port);
            }

            @Override
            public void restart() throws Exception {
                server.killAndStart();
            }

            @Override
            public void close() throws Exception {
                server.close();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {Integer.parseInt(address)});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        source.setConnectTimeout(ANSWER_SECONDS);
        source.setSocketTimeout(ANSWER_SECONDS);
        LeaseStore store = new JdbcStoreProvider()
                .create("postgresql://postgres@127.0.0.1:" + address + "/postgres?connectTimeout=" + ANSWER_SECONDS
                        + "&socketTimeout=" + ANSWER_SECONDS);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists contested (id int primary key, content text not null)");
            return new Row(store, source, JdbcFence.on(source, "contested"));
        } catch (SQLException e) {
            store.close();
            throw new StoreUnavailableException("not now", e);
        }
    }

    private record Row(LeaseStore store, PGSimpleDataSource source, Fence<SqlWork> fence) implements ContestedTarget {
        @Override
        public Admission raise(Grant grant) {
            return fence.raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence.admit(grant, SqlWork.of("rewrite", connection -> put(connection, content)));
        }

        @Override
        public String read() {
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select content from contested")) {
                return row.next() ? row.getString(1) : "";
            } catch (SQLException e) {
                throw new TargetUnavailableException("not read", e);
            }
        }

        @Override
        public void overwrite(String content) {
            try (Connection connection = source.getConnection()) {
                put(connection, content);
            } catch (SQLException e) {
                throw new TargetUnavailableException("perhaps written", e);
            }
        }

        private static void put(Connection connection, String content) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(
                    "insert into contested values (1, ?) on conflict (id) do update set content = excluded.content")) {
                statement.setString(1, content);
                statement.executeUpdate();
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
