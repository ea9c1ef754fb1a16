package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A zombie whose transaction began before its successor's. At every isolation level of every
 * database it is refused, or its transaction fails with a retryable error. The answer never depends
 * on its old snapshot.
 */
@Requires("mariadbd")
@ExtendWith(AllDatabases.class)
class IsolationTest {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final String row = "row-" + UUID.randomUUID();
    private final WorkId id = WorkId.of("isolated-" + UUID.randomUUID(), "2026-01");

    /** Where the fence of the row is kept. */
    enum FenceKind {
        COLUMN_OF_THE_ROW,
        FENCE_TABLE
    }

    /** Writes the row under a token, if the fence admits it. */
    @FunctionalInterface
    interface Write {
        Admission as(Connection connection, long token) throws SQLException;
    }

    static List<IsolationSetting> settings() throws SQLException {
        return IsolationSetting.all();
    }

    static List<IsolationSetting> settingsWithRowLocks() throws SQLException {
        return settings().stream().filter(IsolationSetting::locksRows).toList();
    }

    static List<Arguments> settingsAndFences() throws SQLException {
        return withEachFence(settings());
    }

    static List<Arguments> settingsWithRowLocksAndFences() throws SQLException {
        return withEachFence(settingsWithRowLocks());
    }

    private static List<Arguments> withEachFence(List<IsolationSetting> settings) {
        List<Arguments> all = new ArrayList<>();
        for (IsolationSetting setting : settings) {
            for (FenceKind kind : FenceKind.values()) {
                all.add(Arguments.of(setting, kind));
            }
        }
        return all;
    }

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @Test
    void everyDatabaseIsTestedAtEachOfItsLevels() throws Exception {
        assertThat(settings())
                .extracting(IsolationSetting::toString)
                .contains(
                        "PostgreSQL, read committed",
                        "PostgreSQL, repeatable read",
                        "PostgreSQL, serializable",
                        "MariaDB, read uncommitted",
                        "MariaDB, repeatable read",
                        "MariaDB, serializable",
                        "H2, read uncommitted",
                        "H2, repeatable read",
                        "H2, serializable",
                        "SQLite, serializable")
                .hasSize(AllDatabases.HAS_MYSQL ? 21 : 17);
    }

    @ParameterizedTest
    @MethodSource("settingsAndFences")
    void zombieWithAnOldSnapshotIsRefused(IsolationSetting setting, FenceKind kind) throws Exception {
        createRow(setting);
        Write write = write(setting, kind);
        try (Connection zombie = setting.transaction();
                Connection successor = setting.transaction()) {
            assertAdmitted(write.as(zombie, 5));
            zombie.commit();
            // The zombie begins its work and freezes.
            assertThat(written(zombie)).isEqualTo(5);
            Future<Admission> succeeding = thread.submit(() -> {
                Admission answer = write.as(successor, 6);
                successor.commit();
                return answer;
            });
            if (!endsWhileTheZombieIsFrozen(succeeding)) {
                // The zombie's read lock blocks the successor, so the zombie is not stale yet:
                // it may write if it ends first.
                assertInOrder(setting, zombie, succeeding, write);
                return;
            }
            assertAdmitted(succeeding.get());
            assertRefused(setting, () -> write.as(zombie, 5));
            // Other writes of the transaction must not survive either.
            zombie.rollback();
        }
        assertThat(written(setting)).isEqualTo(6);
    }

    private static boolean endsWhileTheZombieIsFrozen(Future<Admission> succeeding) throws Exception {
        try {
            succeeding.get(2, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private void assertInOrder(IsolationSetting setting, Connection zombie, Future<Admission> succeeding, Write write)
            throws Exception {
        boolean wrote = false;
        try {
            wrote = write.as(zombie, 5) instanceof Admission.Admitted;
            zombie.commit();
        } catch (SQLException e) {
            assertRetryable(setting, e);
            zombie.rollback();
        }
        try {
            assertAdmitted(succeeding.get(60, TimeUnit.SECONDS));
            assertThat(written(setting)).isEqualTo(6);
        } catch (ExecutionException e) {
            // One of the two had to fail.
            assertThat(wrote).isTrue();
            assertThat(e).hasCauseInstanceOf(SQLException.class);
            assertRetryable(setting, (SQLException) e.getCause());
            assertThat(written(setting)).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @MethodSource("settingsWithRowLocksAndFences")
    void zombieThatAsksWhileItsSuccessorWritesIsRefusedAfterTheCommit(IsolationSetting setting, FenceKind kind)
            throws Exception {
        createRow(setting);
        Write write = write(setting, kind);
        try (Connection zombie = setting.transaction();
                Connection successor = setting.transaction()) {
            assertAdmitted(write.as(zombie, 5));
            zombie.commit();
            assertAdmitted(write.as(successor, 6));
            Future<Admission> late = thread.submit(() -> write.as(zombie, 5));
            assertThatThrownBy(() -> late.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            successor.commit();
            assertRefused(setting, () -> result(late));
            zombie.rollback();
        }
        assertThat(written(setting)).isEqualTo(6);
    }

    /** A transaction that sees uncommitted data must not trust it, in either direction. */
    @ParameterizedTest
    @MethodSource("settingsWithRowLocks")
    void writeIsAdmittedAfterTheSuccessorRollsBack(IsolationSetting setting) throws Exception {
        createRow(setting);
        try (Connection first = setting.transaction();
                Connection second = setting.transaction()) {
            assertAdmitted(writeFencedRow(first, 5));
            first.commit();
            assertAdmitted(writeFencedRow(second, 6));
            Future<Admission> waiting =
                    thread.submit(() -> FENCED.update(first, FenceTransactionTest.grant(5), row, "written = ?", 55));
            assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            second.rollback();
            assertAdmitted(result(waiting));
            first.commit();
        }
        assertThat(written(setting)).isEqualTo(55);
    }

    /** The driver may report that such a write changed no row. */
    @ParameterizedTest
    @MethodSource("settings")
    void currentTokenThatWritesTheSameValueAgainIsAdmitted(IsolationSetting setting) throws Exception {
        createRow(setting);
        try (Connection connection = setting.transaction()) {
            for (int i = 0; i < 3; i++) {
                assertAdmitted(writeFencedRow(connection, 5));
                assertAdmitted(FENCED.raise(connection, FenceTransactionTest.grant(5), row));
            }
            connection.commit();
            connection.setAutoCommit(true);
            assertAdmitted(writeFencedRow(connection, 5));
            assertAdmitted(writeFencedRow(connection, 6));
            assertThat(writeFencedRow(connection, 5)).isInstanceOf(Admission.Stale.class);
        }
        assertThat(written(setting)).isEqualTo(6);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void zombieWithAnOldSnapshotCompletesNothing(IsolationSetting setting) throws Exception {
        createRow(setting);
        try (LeaseStore store = setting.server().openStore();
                Connection transaction = setting.transaction()) {
            JdbcWork work = JdbcWork.over(store, setting.source());
            WorkClaim zombie = claim(store);
            assertThat(written(transaction)).isZero();
            store.release(zombie.grant(), Duration.ZERO);
            WorkClaim successor = claim(store);
            assertThat(successor.epoch()).isGreaterThan(zombie.epoch());
            try {
                assertThat(work.complete(transaction, zombie, null, List.of())).isInstanceOf(WorkStep.Stale.class);
            } catch (SQLException e) {
                assertRetryable(setting, e);
            }
            transaction.rollback();
            assertThat(WorkLedger.over(store).find(id).orElseThrow().state()).isEqualTo(WorkState.RUNNING);
        }
    }

    /** The snapshot does not show the claim, which does not make the claim stale. */
    @ParameterizedTest
    @MethodSource("settings")
    void claimMadeAfterTheSnapshotIsNotReportedAsStale(IsolationSetting setting) throws Exception {
        createRow(setting);
        try (LeaseStore store = setting.server().openStore();
                Connection transaction = setting.transaction()) {
            JdbcWork work = JdbcWork.over(store, setting.source());
            assertThat(written(transaction)).isZero();
            WorkClaim claim = claim(store);
            WorkState expected = WorkState.DONE;
            try {
                assertThat(work.complete(transaction, claim, null, List.of())).isInstanceOf(WorkStep.Accepted.class);
                transaction.commit();
            } catch (SQLException e) {
                assertRetryable(setting, e);
                transaction.rollback();
                expected = WorkState.RUNNING;
            }
            assertThat(WorkLedger.over(store).find(id).orElseThrow().state()).isEqualTo(expected);
        }
    }

    private WorkClaim claim(LeaseStore store) {
        AttemptId attempt = AttemptId.of("a-" + UUID.randomUUID());
        Acquisition answer = store.acquire(id.name(), attempt, Holder.of("test"), Duration.ofMinutes(10));
        Grant grant = ((Acquisition.Granted) answer).grant();
        return ((Claim.Claimed) WorkLedger.over(store).claim(grant, id, null)).claim();
    }

    private static final FencedTable FENCED = FencedTable.of("isolated", "id", "fence");

    private Write write(IsolationSetting setting, FenceKind kind) {
        if (kind == FenceKind.COLUMN_OF_THE_ROW) {
            return this::writeFencedRow;
        }
        JdbcFence fence = JdbcFence.prepare(setting.source());
        return (connection, token) -> writeBehind(fence, connection, token);
    }

    private Admission writeFencedRow(Connection connection, long token) throws SQLException {
        return FENCED.update(connection, FenceTransactionTest.grant(token), row, "written = ?", token);
    }

    private Admission writeBehind(JdbcFence fence, Connection connection, long token) throws SQLException {
        Admission answer = fence.admit(connection, FenceTransactionTest.grant(token), row);
        if (answer instanceof Admission.Admitted) {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("update isolated set written = " + token + " where id = '" + row + "'");
            }
        }
        return answer;
    }

    private void createRow(IsolationSetting setting) throws SQLException {
        try (Connection connection = setting.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists isolated (id varchar(100) primary key, written bigint, fence bigint)");
            statement.execute("insert into isolated values ('" + row + "', 0, null)");
        }
    }

    private long written(IsolationSetting setting) throws SQLException {
        try (Connection connection = setting.source().getConnection()) {
            return written(connection);
        }
    }

    private long written(Connection connection) throws SQLException {
        return number(connection, "select written from isolated where id = '" + row + "'");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getLong(1);
        }
    }

    @FunctionalInterface
    private interface AdmissionRequest {
        Admission ask() throws SQLException;
    }

    private static Admission result(Future<Admission> asked) throws SQLException {
        try {
            return asked.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException reason) {
                throw reason;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertRefused(IsolationSetting setting, AdmissionRequest asking) {
        try {
            assertThat(asking.ask()).isInstanceOf(Admission.Stale.class);
        } catch (SQLException e) {
            assertRetryable(setting, e);
        }
    }

    /** The transaction lost against another one; no other error is accepted. */
    private static void assertRetryable(IsolationSetting setting, SQLException e) {
        try (Connection connection = setting.source().getConnection()) {
            Dialect dialect = Dialects.of(connection.getMetaData());
            assertThat(dialect.isRetryable(e) || SqlFailures.hasState(e, "40001"))
                    .as("%s: %s %s", e.getSQLState(), e.getErrorCode(), e.getMessage())
                    .isTrue();
        } catch (SQLException other) {
            fail(other.getMessage(), other);
        }
    }

    private static void assertAdmitted(Admission answer) {
        assertThat(answer).isInstanceOf(Admission.Admitted.class);
    }
}
