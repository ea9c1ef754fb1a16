package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import dev.leasehold.testkit.UnreliableLink;
import dev.leasehold.testkit.WaitingHerd;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** Behaviour specific to a database server, tested on PostgreSQL. */
class PostgresStoreTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration LONG = Duration.ofMinutes(10);

    private LeaseStore store;

    @BeforeEach
    void open() {
        store = SERVER.openStore();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void waiterIsWokenByTheRelease() throws Exception {
        LeaseName name = name("wake");
        Grant grant = acquire(name, LONG);
        Watch watch = store.watch(name).orElseThrow();
        Thread releasing = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            store.release(grant, Duration.ZERO);
        });
        long began = System.nanoTime();
        releasing.start();
        watch.await(Duration.ofSeconds(20));
        Duration waited = Duration.ofNanos(System.nanoTime() - began);
        releasing.join();
        watch.close();

        assertThat(waited).isBetween(Duration.ofMillis(150), Duration.ofSeconds(10));
        assertThat(store.inspect(name).orElseThrow().isFree()).isTrue();
    }

    @Test
    void waiterForAnotherNameIsNotWoken() throws Exception {
        LeaseName name = name("sleeper");
        acquire(name, LONG);
        Grant other = acquire(name("other"), LONG);
        try (Watch watch = store.watch(name).orElseThrow();
                Watch otherWatch = store.watch(other.name()).orElseThrow()) {
            store.release(other, Duration.ZERO);
            otherWatch.await(Duration.ofSeconds(20));
            long began = System.nanoTime();
            watch.await(Duration.ofMillis(300));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(290));
        }
    }

    /** The stores of a team that tests beside production have the same names of jobs. */
    @Test
    void waiterInAnotherSchemaIsNotWoken() throws Exception {
        LeaseName name = name("two-schemas");
        execute("create schema elsewhere");
        try (LeaseStore other = new JdbcStoreProvider().create(SERVER.url() + "?currentSchema=elsewhere")) {
            Grant there = ((Acquisition.Granted) other.acquire(name, attempt(), HOLDER, LONG)).grant();
            acquire(name, LONG);
            try (Watch watch = store.watch(name).orElseThrow();
                    Watch watchThere = other.watch(name).orElseThrow()) {
                other.release(there, Duration.ZERO);
                watchThere.await(Duration.ofSeconds(20));
                long began = System.nanoTime();
                watch.await(Duration.ofMillis(300));
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(290));
            }
        } finally {
            execute("drop schema elsewhere cascade");
        }
    }

    /** Closing does not wait for the connection that listens: it is aborted. */
    @Test
    void storeThatListenedIsClosedAtOnce() {
        LeaseStore listening = SERVER.openStore();
        LeaseName name = name("closing");
        acquire(name, LONG);
        assertThat(listening.watch(name)).isPresent();
        long began = System.nanoTime();
        listening.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(900));
        assertThat(listening.watch(name)).isEmpty();
    }

    @Test
    void tenThousandGrantsAreRenewedInAFewStatements() throws SQLException {
        String prefix = name("many").value();
        List<RenewRequest> requests = new ArrayList<>();
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into leasehold_lease select '" + prefix + "/' || i, 1, 'attempt-' || i, 'h', 'first',"
                            + " null, 0, 9000000000000000, 0, false, 0, null, null, null, 0 from generate_series(1, 10000) i");
        }
        for (int i = 1; i <= 10_000; i++) {
            LeaseName name = LeaseName.of(prefix + "/" + i);
            AttemptId attempt = AttemptId.of("attempt-" + (i == 77 ? 78 : i));
            requests.add(new RenewRequest(new Grant(name, token(1), attempt, store.id()), LONG));
        }
        long before = statements();
        List<Renewal> answers = store.renew(requests);
        assertThat(statements() - before).as("statements").isLessThanOrEqualTo(10);
        assertThat(answers).filteredOn(Renewal.Renewed.class::isInstance).hasSize(9_999);
        assertThat(answers.get(76)).isInstanceOf(Renewal.NotRenewed.class);
    }

    /** A release wakes one of them, so the others need not ask. */
    @Test
    void handOverTakesAsFewStatementsWithManyWaitersAsWithFew() throws Exception {
        double few = statementsPerHandOver(5);
        double many = statementsPerHandOver(50);
        assertThat(many)
                .as("statements per hand-over, with few waiters %s", few)
                .isLessThan(few + 3);
    }

    private static double statementsPerHandOver(int waiters) throws Exception {
        return statementsPerHandOver(1, waiters);
    }

    /** Each process tells the others when it has the lease, so few of them ask in vain. */
    @Test
    void handOverTakesAsFewStatementsAmongManyProcessesAsAmongFew() throws Exception {
        double few = statementsPerHandOver(3, 80);
        double many = statementsPerHandOver(24, 10);
        assertThat(many)
                .as("statements per hand-over, among few processes %s", few)
                .isLessThan(few + 14);
    }

    private static double statementsPerHandOver(int processes, int waiters) throws Exception {
        AtomicLong statements = new AtomicLong();
        List<LeaseStore> stores = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            stores.add(JdbcLeaseStore.open(new CountingConnections(SERVER.url(), statements), false));
        }
        return WaitingHerd.statementsPerHandOver(stores, name("herd"), waiters, statements::get);
    }

    /** Every statement is its own transaction; the query for the count is included. */
    private static long statements() throws SQLException {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select pg_stat_force_next_flush(), xact_commit from pg_stat_database"
                        + " where datname = current_database()")) {
            row.next();
            return row.getLong(2);
        }
    }

    @Test
    void clockThatWasSetBackDoesNotKeepTheNameForever() throws Exception {
        LeaseName name = name("clock");
        Grant grant = acquire(name, Duration.ofMillis(200));
        long year = 365L * 24 * 3600 * 1_000_000;
        execute("update leasehold_lease set acquired = acquired + " + year + ", deadline = deadline + " + year
                + ", seen = seen + " + year + " where name = '" + name + "'");
        Acquisition answer = store.acquire(name, attempt(), HOLDER, LONG);
        assertThat(answer).isInstanceOf(Acquisition.Busy.class);
        assertThat(((Acquisition.Busy) answer).remaining()).isLessThanOrEqualTo(Duration.ofMillis(200));
        store.release(grant, Duration.ofMillis(1));
        Thread.sleep(250);
        assertThat(acquire(name, LONG).token()).isEqualTo(grant.token().next());
    }

    @Test
    void pollersOfABusyNameWriteNothing() throws SQLException {
        LeaseName name = name("busy");
        acquire(name, LONG);
        assertThat(store.acquire(name, attempt(), HOLDER, LONG)).isInstanceOf(Acquisition.Busy.class);
        long before = number("select xmax::text::bigint from leasehold_lease where name = '" + name + "'");
        for (int i = 0; i < 3; i++) {
            assertThat(store.acquire(name, attempt(), HOLDER, LONG)).isInstanceOf(Acquisition.Busy.class);
        }
        assertThat(number("select xmax::text::bigint from leasehold_lease where name = '" + name + "'"))
                .isEqualTo(before);
    }

    @Test
    void historyOfANameIsBounded() throws SQLException {
        LeaseName name = name("long");
        long last;
        int grants = 0;
        do {
            Grant grant = acquire(name, LONG);
            store.release(grant, Duration.ZERO);
            last = grant.token().value();
            grants++;
            // Old rows are removed at every 256th token.
        } while (grants < 2 * LeaseStore.HISTORY_KEPT || last % 256 != 2);
        assertThat(store.history(name, 1000)).hasSize(LeaseStore.HISTORY_KEPT + 2);
        assertThat(store.history(name, 1).get(0).token()).isEqualTo(token(last));
    }

    /** The store remembers which names have a row, and may be wrong. */
    @Test
    void nameWhoseRowIsGoneIsGrantedAgain() throws SQLException {
        LeaseName name = name("gone");
        store.release(acquire(name, LONG), Duration.ZERO);
        store.release(acquire(name, LONG), Duration.ZERO);
        execute("delete from leasehold_lease where name = '" + name + "'");
        assertThat(acquire(name, LONG).token()).isEqualTo(token(store.floor() + 1));
    }

    /**
     * The driver's timeout is for a dead peer. A server that hangs is worse, because the connection
     * stays up.
     */
    @Test
    void serverThatHangsDoesNotHangItsClient() throws Exception {
        PGSimpleDataSource direct = (PGSimpleDataSource) SERVER.dataSource();
        try (UnreliableLink link = new UnreliableLink(direct.getPortNumbers()[0])) {
            PGSimpleDataSource through = new PGSimpleDataSource();
            through.setServerNames(new String[] {"localhost"});
            through.setPortNumbers(new int[] {link.port()});
            through.setUser("postgres");
            through.setDatabaseName("postgres");
            SingleConnectionPool pool = new SingleConnectionPool(through);
            LeaseStore behind = JdbcLeaseStore.open(new DataSourceConnections(pool, Duration.ofMillis(500)), true);
            link.swallow(EnumSet.allOf(UnreliableLink.Direction.class));
            assertThatThrownBy(() -> behind.acquire(name("hang"), attempt(), HOLDER, LONG))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("it is unknown whether the operation took effect");
        }
    }

    @Test
    void callersSettingsAreRestored() throws Exception {
        SingleConnectionPool pool = new SingleConnectionPool(SERVER.dataSource());
        LeaseStore other = JdbcLeaseStore.create(pool);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
        }
        LeaseName name = name("settings");
        Acquisition answer = other.acquire(name, attempt(), HOLDER, LONG);
        other.release(((Acquisition.Granted) answer).grant(), Duration.ZERO);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("show synchronous_commit")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("on");
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getNetworkTimeout()).isZero();
            connection.rollback();
        }
        assertThat(store.inspect(name)).as("not part of a caller's transaction").isPresent();
        pool.close();
    }

    /** Simulates a crash that undid a release. The user has only the rights that leases need. */
    @Test
    void closingRepeatsAReleaseThatWasUndone() throws Exception {
        execute(
                "create role worker login; grant select, insert, update, delete on all tables in schema public to worker");
        PGSimpleDataSource worker = (PGSimpleDataSource) SERVER.dataSource();
        worker.setUser("worker");
        LeaseName name = name("undone");
        try (LeaseStore workerStore = JdbcLeaseStore.create(worker)) {
            Acquisition answer = workerStore.acquire(name, attempt(), HOLDER, LONG);
            workerStore.release(((Acquisition.Granted) answer).grant(), Duration.ZERO);
            execute("update leasehold_lease set released = false, deadline = seen + 600000000 where name = '" + name
                    + "'");
        }
        assertThat(store.inspect(name).orElseThrow().isFree()).isTrue();
    }

    @Test
    void weakDurabilityCausesAWarning() throws Exception {
        assertThat(store.warnings()).isEmpty();
        PGSimpleDataSource weak = (PGSimpleDataSource) SERVER.dataSource();
        weak.setOptions("-c synchronous_commit=off");
        assertThat(JdbcLeaseStore.create(weak).warnings())
                .singleElement()
                .asString()
                .contains("synchronous_commit=off", "lose");
    }

    @Test
    void scratchNamesCanBeErasedAndOthersCannot() {
        LeaseName scratch = name(LeaseStore.SCRATCH_PREFIX + "x");
        Grant grant = acquire(scratch, LONG);
        assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        assertThat(store.eraseScratch(scratch)).isTrue();
        assertThat(store.inspect(scratch)).isEmpty();
        assertThat(store.history(scratch, 10)).isEmpty();
        assertThatThrownBy(() -> store.eraseScratch(name("mine"))).isInstanceOf(IllegalArgumentException.class);
    }

    private Grant acquire(LeaseName name, Duration ttl) {
        Acquisition answer = store.acquire(name, attempt(), HOLDER, ttl);
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(String sql) throws SQLException {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static LeaseName name(String subject) {
        return LeaseName.of(subject + "-" + UUID.randomUUID());
    }

    private static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }
}
