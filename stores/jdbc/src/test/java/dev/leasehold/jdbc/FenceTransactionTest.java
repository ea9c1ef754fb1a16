package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.testkit.environment.Requires;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A zombie that freezes between its check and its commit, in the caller's own transactions, on
 * every database. SQLite has no row locks: a transaction there waits when it begins.
 */
@Requires("mariadbd")
@ExtendWith(AllDatabases.class)
class FenceTransactionTest {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final String resource = "ledger/" + UUID.randomUUID();

    static List<TestServer> servers() {
        return AllDatabases.withMySql(AllDatabases.POSTGRES, AllDatabases.MARIADB, AllDatabases.H2);
    }

    @BeforeEach
    void createTable() throws SQLException {
        for (TestServer server : AllDatabases.ALL) {
            try (Connection connection = server.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "create table if not exists ledger (id varchar(100) primary key, written bigint, fence bigint)");
                statement.execute("insert into ledger values ('" + resource + "', 0, null)");
            }
        }
    }

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void successorWaitsForAZombieFrozenBeforeItsCommit(TestServer server) throws Exception {
        JdbcFence fence = JdbcFence.prepare(server.dataSource());
        try (Connection zombie = transaction(server);
                Connection successor = transaction(server)) {
            assertAdmitted(fence.admit(zombie, grant(1), resource));
            write(zombie, 1);
            Future<Admission> raised = thread.submit(() -> fence.raise(successor, grant(2), resource));
            assertWaiting(raised);
            zombie.commit();
            assertAdmitted(raised.get(20, TimeUnit.SECONDS));
            assertThat(written(server)).as("read after the raise").isEqualTo(1);
            write(successor, 2);
            successor.commit();
            assertThat(fence.admit(zombie, grant(1), resource)).isInstanceOf(Admission.Stale.class);
            zombie.rollback();
        }
        assertThat(written(server)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void zombieThatAsksDuringItsSuccessorsTransactionIsRefusedAfterIt(TestServer server) throws Exception {
        JdbcFence fence = JdbcFence.prepare(server.dataSource());
        try (Connection zombie = transaction(server);
                Connection successor = transaction(server)) {
            assertAdmitted(fence.admit(successor, grant(2), resource));
            write(successor, 2);
            Callable<Admission> late = () -> fence.admitOnce(zombie, grant(1), resource, "the one");
            Future<Admission> asked = thread.submit(late);
            assertWaiting(asked);
            successor.commit();
            assertThat(asked.get(20, TimeUnit.SECONDS)).isEqualTo(new Admission.Stale(grant(1), FencingToken.of(2)));
            zombie.rollback();
        }
        assertThat(written(server)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void zombieWhoseTransactionRollsBackLeavesNothing(TestServer server) throws Exception {
        JdbcFence fence = JdbcFence.prepare(server.dataSource());
        try (Connection zombie = transaction(server);
                Connection successor = transaction(server)) {
            assertAdmitted(fence.admitOnce(zombie, grant(7), resource, "the one"));
            write(zombie, 7);
            zombie.rollback();
            assertAdmitted(fence.admitOnce(successor, grant(6), resource, "another"));
            write(successor, 6);
            successor.commit();
            assertAdmitted(fence.admitOnce(zombie, grant(7), resource, "the one"));
            zombie.rollback();
        }
        assertThat(written(server)).isEqualTo(6);
    }

    @Test
    void onSqliteTheSuccessorWaitsForAZombieFrozenBeforeItsCommit() throws Exception {
        JdbcFence fence = JdbcFence.prepare(AllDatabases.SQLITE.dataSource());
        try (Connection zombie = transaction(AllDatabases.SQLITE)) {
            assertAdmitted(fence.admit(zombie, grant(1), resource));
            write(zombie, 1);
            Future<Admission> succeeded = thread.submit(() -> admitAndWrite(fence, 2));
            assertWaiting(succeeded);
            zombie.commit();
            zombie.setAutoCommit(true);
            assertAdmitted(succeeded.get(20, TimeUnit.SECONDS));
        }
        assertThat(admitAndWrite(fence, 1)).isEqualTo(new Admission.Stale(grant(1), FencingToken.of(2)));
        assertThat(written(AllDatabases.SQLITE)).isEqualTo(2);
    }

    private Admission admitAndWrite(JdbcFence fence, long token) throws SQLException {
        try (Connection connection = transaction(AllDatabases.SQLITE)) {
            Admission answer = fence.admit(connection, grant(token), resource);
            if (answer instanceof Admission.Admitted) {
                write(connection, token);
            }
            connection.commit();
            return answer;
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void checkWithoutATransactionIsRefused(TestServer server) throws Exception {
        JdbcFence fence = JdbcFence.prepare(server.dataSource());
        try (Connection connection = server.dataSource().getConnection()) {
            assertThatThrownBy(() -> fence.admit(connection, grant(1), resource))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("transaction");
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void rowThatCarriesItsOwnFenceRefusesAnOlderToken(TestServer server) throws Exception {
        FencedTable ledger = FencedTable.of("ledger", "id", "fence");
        try (Connection connection = server.dataSource().getConnection()) {
            assertAdmitted(ledger.raise(connection, grant(3), resource));
            assertAdmitted(ledger.update(connection, grant(3), resource, "written = ?", 3));
            assertAdmitted(ledger.update(connection, grant(3), resource, "written = ?", 3));
            assertThat(ledger.update(connection, grant(2), resource, "written = ?", 2))
                    .isEqualTo(new Admission.Stale(grant(2), FencingToken.of(3)));
            assertThat(written(server)).isEqualTo(3);
            assertAdmitted(ledger.update(connection, grant(4), resource, "written = ?", 4));
            assertThatThrownBy(() -> ledger.update(connection, grant(4), "nowhere", "written = ?", 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no such row");
        }
        assertThat(written(server)).isEqualTo(4);
        assertThatThrownBy(() -> FencedTable.of("ledger; drop table ledger", "id", "fence"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void write(Connection connection, long value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update ledger set written = " + value + " where id = '" + resource + "'");
        }
    }

    private long written(TestServer server) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select written from ledger where id = '" + resource + "'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Connection transaction(TestServer server) throws SQLException {
        Connection connection = server.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    static Grant grant(long token) {
        return new Grant(
                LeaseName.of("ledger"),
                FencingToken.of(token),
                AttemptId.of("attempt-of-" + token),
                StoreId.of("store-of-the-test"));
    }

    private static void assertWaiting(Future<Admission> answer) {
        assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private static void assertAdmitted(Admission answer) {
        assertThat(answer).isInstanceOf(Admission.Admitted.class);
    }
}
