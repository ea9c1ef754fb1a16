package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.fence.Fence;
import dev.leasehold.jdbc.JdbcFence;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.jdbc.SqlWork;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Renewal, wake-up and fences in PostgreSQL. */
final class PostgresSteps {
    static final String ROUND_TRIP = "a committed one-row update";
    private static final int LEASES = 10_000;
    private static final int WRITES = 200;

    private final HikariDataSource pool;
    private final String url;
    private final Targets targets;

    PostgresSteps(HikariDataSource pool, String url, Targets targets) {
        this.pool = pool;
        this.url = url;
        this.targets = targets;
    }

    Measurement wakeUp() throws Exception {
        PostgresBench.execute(
                pool, "create table plain_row (id int primary key, n bigint)", "insert into plain_row values (1, 0)");
        LeaseTerms terms = LeaseTerms.ofTtl(PostgresLocks.TTL);
        try (Leases holder = Leases.over(Stores.create(url)).build();
                Leases waiter = Leases.open(url)) {
            Handover ours = Handover.leasehold(holder, waiter, terms);
            Measurement outcome = new Comparison("PostgreSQL, release to the waiter's grant", 1, 150)
                    .warmUp(50)
                    .addTimed(ROUND_TRIP, Handover.afterAPause(times -> updates(pool, times)))
                    .addTimed("an empty select", Handover.afterAPause(times -> selects(pool, times)))
                    .addTimed(PostgresBench.OURS, ours::micros)
                    .run();
            targets.atMost(
                    "PostgreSQL wake-up, in round trips (" + ROUND_TRIP + ")",
                    3,
                    outcome.speed(ROUND_TRIP, PostgresBench.OURS));
            return outcome;
        }
    }

    private static void updates(HikariDataSource pool, int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            try (Connection connection = pool.getConnection()) {
                update(connection);
            }
        }
    }

    private static void update(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("update plain_row set n = n + 1 where id = 1")) {
            statement.executeUpdate();
        }
    }

    private static void selects(HikariDataSource pool, int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement("select 1")) {
                statement.executeQuery().close();
            }
        }
    }

    void renewal() throws Exception {
        PostgresBench.execute(
                pool,
                "insert into plain_lock select 'bench/held-' || i, 1, clock_timestamp() + interval '1 hour', 'me'"
                        + " from generate_series(0, " + (LEASES - 1) + ") i");
        try (JdbcLeaseStore store = JdbcLeaseStore.create(pool)) {
            List<RenewRequest> held = HeldLeases.acquire(store, LEASES);
            Measurement outcome = new Comparison("PostgreSQL, renewal of " + LEASES + " held leases", 1, 3)
                    .warmUp(1)
                    .add("one plain update per lease", times -> renewOneByOne())
                    .addTimed(PostgresBench.OURS, times -> HeldLeases.medianRenewal(store, held))
                    .run();
            targets.atLeast(
                    "PostgreSQL renewal of " + LEASES + " leases against one update each",
                    20,
                    outcome.speed(PostgresBench.OURS, "one plain update per lease"));
        }
    }

    private void renewOneByOne() throws SQLException {
        String sql = "update plain_lock set deadline = clock_timestamp() + interval '1 hour'"
                + " where name = ? and token = 1 and deadline > clock_timestamp()";
        for (int i = 0; i < LEASES; i++) {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, "bench/held-" + i);
                if (statement.executeUpdate() != 1) {
                    throw new IllegalStateException("a lock was lost");
                }
            }
        }
    }

    void fence() throws Exception {
        try (JdbcLeaseStore store = JdbcLeaseStore.create(pool)) {
            Grant grant = HeldLeases.acquire(store, 1).get(0).grant();
            Fence<SqlWork> fence = JdbcFence.on(pool, "bench/row");
            SqlWork work = SqlWork.of("bench", PostgresSteps::update);
            String bare = "the plain one-row transaction";
            Measurement outcome = new Comparison("PostgreSQL, a transaction that writes one row", WRITES, 25)
                    .warmUp(40)
                    .add(bare, this::bareTransactions)
                    .add(PostgresBench.OURS, times -> {
                        for (int i = 0; i < times; i++) {
                            if (!(fence.admit(grant, work) instanceof Admission.Admitted)) {
                                throw new IllegalStateException("refused");
                            }
                        }
                    })
                    .run();
            targets.atMost(
                    "PostgreSQL fenced transaction against the plain one-row transaction",
                    1.5,
                    outcome.speed(bare, PostgresBench.OURS));
        }
    }

    private void bareTransactions(int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                update(connection);
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
    }
}
