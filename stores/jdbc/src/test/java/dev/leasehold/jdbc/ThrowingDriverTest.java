package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A driver that throws at the k-th call, for every k: every resource is returned, every answer is
 * true, and the next call works.
 *
 * <p>Each call throws one of the faults, in turn; with {@code -Dleasehold.crash.full=true} it throws
 * all of them.
 */
class ThrowingDriverTest {
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final int MOST_CALLS = 400;

    record Fault(String label, Supplier<Throwable> what) {
        @Override
        public String toString() {
            return label;
        }
    }

    record Case(String step, StepsUnderFaults.Step body, String database, boolean autoCommit) {
        @Override
        public String toString() {
            return step + " on " + database + (autoCommit ? "" : " without autocommit");
        }
    }

    private static final List<Fault> FAULTS = List.of(
            new Fault("connection lost", () -> new SQLNonTransientConnectionException("injected", "08006")),
            new Fault("refused", () -> new SQLException("injected", "42000", 1)),
            new Fault("driver's mistake", () -> new IllegalStateException("injected")),
            new Fault("error", () -> new LinkageError("injected")));

    static List<Case> cases() {
        List<Case> all = new ArrayList<>();
        for (String database : List.of("H2", "SQLite")) {
            for (boolean autoCommit : database.equals("H2") ? new boolean[] {true, false} : new boolean[] {false}) {
                all.add(new Case("acquire", StepsUnderFaults::acquire, database, autoCommit));
                all.add(new Case("acquire of a busy name", StepsUnderFaults::acquireBusy, database, autoCommit));
                all.add(new Case("renew", StepsUnderFaults::renew, database, autoCommit));
                all.add(new Case("release", StepsUnderFaults::release, database, autoCommit));
                all.add(new Case("steps of a zombie", StepsUnderFaults::zombie, database, autoCommit));
                all.add(new Case("progress", StepsUnderFaults::progress, database, autoCommit));
                all.add(new Case("looks", StepsUnderFaults::reads, database, autoCommit));
                all.add(new Case("compare and set", StepsUnderFaults::compareAndSet, database, autoCommit));
                all.add(new Case("remove", StepsUnderFaults::remove, database, autoCommit));
            }
        }
        return all;
    }

    private static DataSource database(String kind) {
        String name = UUID.randomUUID().toString();
        if (kind.equals("H2")) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + name);
            return source;
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite::memory:");
        return source;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyCallOfAStepMayThrow(Case step) throws Exception {
        try (FaultyJdbc pool = new FaultyJdbc(database(step.database()), step.autoCommit());
                LeaseStore store = JdbcLeaseStore.create(pool)) {
            for (int first = 0; first < (FULL ? FAULTS.size() : 1); first++) {
                for (boolean after : new boolean[] {false, true}) {
                    int call = 1;
                    while (strikes(pool, store, step, FAULTS.get((first + call) % FAULTS.size()), after, call)) {
                        call++;
                        assertThat(call).isLessThan(MOST_CALLS);
                    }
                    assertThat(call)
                            .as("calls of the driver that were made to throw")
                            .isGreaterThan(4);
                }
            }
        }
    }

    private static boolean strikes(FaultyJdbc pool, LeaseStore store, Case step, Fault fault, boolean after, int call)
            throws SQLException {
        StepsUnderFaults.PreparedCall prepared = step.body().prepare(store);
        Object answer = null;
        Throwable failure = null;
        pool.failAt(call, after, fault.what());
        try {
            answer = prepared.call();
        } catch (RuntimeException | LinkageError e) {
            failure = e;
        }
        String struck = pool.heal();
        String what = step + ", " + fault + " at call " + call + ": " + struck;
        assertThat(pool.inUse())
                .as("connections that were not given back; " + what)
                .isZero();
        boolean as = pool.isAsBefore();
        if (!struck.contains("utoCommit") && !struck.contains("getConnection")) {
            assertThat(as).as("autocommit was put back; " + what).isTrue();
        }
        try {
            if (failure == null) {
                prepared.check(answer);
            } else {
                assertThat(failure).as(what).hasStackTraceContaining("injected");
                prepared.checkAfterFailure();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
        return !struck.isEmpty();
    }

    /** Opening the store throws at some call; a second try finds what the first one left. */
    @ParameterizedTest
    @ValueSource(strings = {"H2", "SQLite"})
    void everyCallWhileOpeningMayThrow(String database) throws Exception {
        for (Fault fault : List.of(FAULTS.get(0), FAULTS.get(3))) {
            boolean struck = true;
            for (int call = 1; struck && call < MOST_CALLS; call++) {
                struck = openingThrows(database, fault, call);
            }
            assertThat(struck).isFalse();
        }
    }

    private static boolean openingThrows(String database, Fault fault, int call) throws SQLException {
        try (FaultyJdbc pool = new FaultyJdbc(database(database), true)) {
            pool.failAt(call, call % 2 == 0, fault.what());
            try {
                JdbcLeaseStore.create(pool).close();
            } catch (RuntimeException | LinkageError e) {
                assertThat(e).hasStackTraceContaining("injected");
            }
            boolean struck = !pool.heal().isEmpty();
            assertThat(pool.inUse()).as("%s at call %d", fault, call).isZero();
            try (LeaseStore store = JdbcLeaseStore.create(pool)) {
                assertThat(StepsUnderFaults.granted(store, StepsUnderFaults.name())
                                .token()
                                .value())
                        .isEqualTo(1);
            }
            return struck;
        }
    }

    /**
     * Connections of the store's own pool: a lost permit would show, because there are only sixteen
     * for a few hundred failures.
     */
    @Test
    void everyCallOfAStepMayThrowInTheStoresOwnPool() throws Exception {
        for (Fault fault : FAULTS) {
            for (boolean after : new boolean[] {false, true}) {
                ThrowingDriver.DATABASE = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
                JdbcUrl url = new JdbcUrl(
                        ThrowingDriver.class.getName(),
                        "the test",
                        "jdbc:throwing:",
                        new Properties(),
                        List.of(),
                        List.of("set query_timeout 0"));
                PooledConnections pool = new PooledConnections(url);
                try (LeaseStore store = JdbcLeaseStore.open(pool, true)) {
                    for (StepsUnderFaults.Step step : List.<StepsUnderFaults.Step>of(
                            StepsUnderFaults::acquire, StepsUnderFaults::renew, StepsUnderFaults::release)) {
                        for (int call = 1; strikesOwn(store, step, fault, after, call); call++) {
                            assertThat(call).isLessThan(MOST_CALLS);
                        }
                    }
                }
                assertThat(ThrowingDriver.open())
                        .as("connections that were left open: %s", fault)
                        .isZero();
            }
        }
    }

    private static boolean strikesOwn(
            LeaseStore store, StepsUnderFaults.Step step, Fault fault, boolean after, int call) {
        StepsUnderFaults.PreparedCall prepared = step.prepare(store);
        Object answer = null;
        boolean failed = false;
        ThrowingDriver.failAt(call, after, fault.what());
        try {
            answer = prepared.call();
        } catch (RuntimeException | LinkageError e) {
            failed = true;
        }
        boolean struck = ThrowingDriver.heal();
        if (failed) {
            prepared.checkAfterFailure();
        } else {
            prepared.check(answer);
        }
        return struck;
    }

    /** Callers rely on a fence that reports "nothing was written". */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyCallOfAGuardedWriteMayThrow(boolean autoCommit) throws Exception {
        try (FaultyJdbc pool = new FaultyJdbc(database("H2"), autoCommit)) {
            execute(pool, "create table document (id varchar(60) primary key)");
            Fence<SqlWork> fence = JdbcFence.on(pool, "document");
            long token = 1;
            for (Fault fault : FAULTS) {
                for (boolean after : new boolean[] {false, true}) {
                    boolean struck = true;
                    for (int call = 1; struck && call < MOST_CALLS; call++) {
                        Grant grant = FenceTransactionTest.grant(token++);
                        String id = UUID.randomUUID().toString();
                        struck = guardedWriteIsTold(pool, fence, grant, id, fault, after, call);
                    }
                    assertThat(struck).isFalse();
                }
            }
        }
    }

    private static boolean guardedWriteIsTold(
            FaultyJdbc pool, Fence<SqlWork> fence, Grant grant, String id, Fault fault, boolean after, int call)
            throws SQLException {
        SqlWork work = SqlWork.of(id, connection -> {
            try (PreparedStatement insert = connection.prepareStatement("insert into document values (?)")) {
                insert.setString(1, id);
                insert.executeUpdate();
            }
        });
        pool.failAt(call, after, fault.what());
        Admission answer = null;
        Throwable failure = null;
        try {
            answer = fence.admitOnce(grant, work);
        } catch (RuntimeException | LinkageError e) {
            failure = e;
        }
        String struck = pool.heal();
        String what = fault + " at call " + call + ": " + struck + ": " + failure;
        assertThat(pool.inUse()).as(what).isZero();
        boolean asBefore = pool.isAsBefore();
        boolean written = count(pool, id) == 1;
        if (answer != null) {
            assertThat(answer).as(what).isInstanceOf(Admission.Admitted.class);
            assertThat(written).as(what).isTrue();
        } else if (failure instanceof TargetUnavailableException
                && String.valueOf(failure.getMessage()).contains("nothing was written")) {
            assertThat(written).as(what).isFalse();
        }
        if (!struck.matches("(rollback|commit|isClosed|[gs]etAutoCommit).*")) {
            assertThat(asBefore).as("autocommit was put back; " + what).isTrue();
        }
        Admission again = fence.admitOnce(grant, work);
        assertThat(again).as(what).isInstanceOf(written ? Admission.AlreadyWritten.class : Admission.Admitted.class);
        assertThat(count(pool, id)).isEqualTo(1);
        return !struck.isEmpty();
    }

    private static long count(DataSource source, String id) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from document where id = '" + id + "'")) {
            row.next();
            long found = row.getLong(1);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return found;
        }
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
