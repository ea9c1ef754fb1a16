package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A completion inside the caller's transaction: artifact and completion are committed together or
 * not at all.
 */
@Requires("mariadbd")
@ExtendWith(AllDatabases.class)
class WorkTransactionTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final WorkResult RESULT = WorkResult.of("invoice 7");

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final WorkId id = WorkId.of("billing-" + UUID.randomUUID(), "2026-01");

    static List<TestServer> servers() {
        return AllDatabases.withMySql(AllDatabases.POSTGRES, AllDatabases.MARIADB, AllDatabases.SQLITE);
    }

    /** One run of the job on one database. */
    private final class Fixture implements AutoCloseable {
        final TestServer server;
        final LeaseStore store;
        final WorkLedger ledger;
        final JdbcWork work;

        Fixture(TestServer server) throws SQLException {
            this.server = server;
            store = server.openStore();
            ledger = WorkLedger.over(store);
            work = JdbcWork.over(store, server.dataSource());
            try (Connection connection = server.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists invoices (job varchar(100))");
            }
        }

        Grant takeOver() {
            AttemptId attempt = AttemptId.of("a-" + UUID.randomUUID());
            Intervention takeover =
                    Intervention.takeover(id.name(), attempt, Holder.of("test"), TTL, Note.of("the next owner"));
            return ((Acquisition.Granted) store.intervene(takeover)).grant();
        }

        WorkClaim claim() {
            return ((Claim.Claimed) ledger.claim(takeOver(), id, null)).claim();
        }

        Connection transaction() throws SQLException {
            Connection connection = server.dataSource().getConnection();
            connection.setAutoCommit(false);
            return connection;
        }

        WorkItem item() {
            return ledger.find(id).orElseThrow();
        }

        int invoices() throws SQLException {
            try (Connection connection = server.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("select count(*) from invoices where job = '" + id.name() + "'")) {
                rows.next();
                return rows.getInt(1);
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void completionFollowsCommitAndRollback(TestServer server) throws Exception {
        try (Fixture world = new Fixture(server)) {
            WorkClaim claim = world.claim();
            try (Connection connection = world.transaction()) {
                write(connection);
                assertThat(world.work.complete(connection, claim, RESULT, List.of("mail")))
                        .isInstanceOf(WorkStep.Accepted.class);
                connection.rollback();
            }
            assertThat(world.item().state()).isEqualTo(WorkState.RUNNING);
            assertThat(world.invoices()).isZero();
            try (Connection connection = world.transaction()) {
                write(connection);
                world.work.complete(connection, claim, RESULT, List.of("mail"));
                connection.commit();
            }
            assertThat(world.item().result()).isEqualTo(RESULT);
            assertThat(world.invoices()).isEqualTo(1);
            assertThat(world.ledger.deliver(claim.grant(), effect -> {}).delivered())
                    .containsExactly("2026-01#1");
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void zombieIsRefusedAndWritesNothing(TestServer server) throws Exception {
        try (Fixture world = new Fixture(server)) {
            WorkClaim zombie = world.claim();
            WorkClaim successor = world.claim();
            try (Connection connection = world.transaction()) {
                write(connection);
                assertThat(world.work.complete(connection, zombie, RESULT, List.of("mail")))
                        .isInstanceOf(WorkStep.Stale.class);
                connection.rollback();
            }
            assertThat(world.item().epoch()).isEqualTo(successor.epoch());
            assertThat(world.item().state()).isEqualTo(WorkState.RUNNING);
            assertThat(world.invoices()).isZero();
        }
    }

    /**
     * The row is locked: whatever the successor has read, its claim follows the end of the
     * transaction.
     */
    @ParameterizedTest
    @MethodSource("servers")
    void successorWaitsForARunFrozenBeforeItsCommit(TestServer server) throws Exception {
        try (Fixture world = new Fixture(server);
                Fixture other = new Fixture(server)) {
            WorkClaim claim = world.claim();
            Future<Claim> successor;
            try (Connection connection = world.transaction()) {
                write(connection);
                world.work.complete(connection, claim, RESULT, List.of());
                // SQLite allows one writer at a time, so the successor already waits for its lease.
                successor = thread.submit(() -> other.ledger.claim(other.takeOver(), id, null));
                Future<Claim> waiting = successor;
                assertThatThrownBy(() -> waiting.get(200, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                connection.commit();
            }
            assertThat(successor.get(30, TimeUnit.SECONDS)).isInstanceOf(Claim.AlreadyDone.class);
            assertThat(world.invoices()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void completionWithoutATransactionIsRefused(TestServer server) throws Exception {
        try (Fixture world = new Fixture(server);
                Connection connection = server.dataSource().getConnection()) {
            WorkClaim claim = world.claim();
            assertThatThrownBy(() -> world.work.complete(connection, claim, RESULT, List.of()))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(world.item().state()).isEqualTo(WorkState.RUNNING);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void anotherDatabaseIsRefused(TestServer server) {
        LeaseStore elsewhere = new MemoryLeaseStore(StoreId.of("another-store"), Clock.systemUTC());
        assertThatThrownBy(() -> JdbcWork.over(elsewhere, server.dataSource()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another database");
    }

    private void write(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into invoices values ('" + id.name() + "')");
        }
    }
}
