package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.model.LeaseTerms;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;

/**
 * Leasehold in PostgreSQL against a minimal lock and against other libraries, on one durable
 * server.
 */
final class PostgresBench {
    static final String LIMIT = "two plain statements";
    static final String RELEASE_NOT_SYNCED = "two plain statements, release not synced";
    static final String WIDE = "two plain statements with history";
    static final String OURS = "Leasehold";
    static final String ENGINE = "Leasehold with renewal";
    static final String SHEDLOCK = "ShedLock, JdbcTemplate";
    static final String SPRING = "Spring Integration";

    /** Per contender: with fewer, the slower half of them runs code that is not compiled yet. */
    private static final int WARM_UP_PAIRS = 5000;

    private final EmbeddedPostgres server;
    private final HikariDataSource pool;
    private final Targets targets = new Targets();

    private PostgresBench(EmbeddedPostgres server) {
        this.server = server;
        this.pool = pool("public");
    }

    static void run(Path directory) throws Exception {
        try (EmbeddedPostgres server = durable(directory)) {
            PostgresBench bench = new PostgresBench(server);
            try (HikariDataSource shared = bench.pool) {
                bench.run();
            }
        }
    }

    /** The starter library switches durability off; these are PostgreSQL's defaults. */
    static EmbeddedPostgres durable(Path directory) throws IOException {
        return durableServer(directory).start();
    }

    static EmbeddedPostgres.Builder durableServer(Path directory) {
        return EmbeddedPostgres.builder()
                .setDataDirectory(directory)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on");
    }

    private void run() throws Exception {
        PostgresLocks.createTables(pool);
        Measurement one = pairs(pool, 1, 160, 15);
        Measurement eight = pairs(pool, 8, 800, 15);
        compareWithPeers("1 thread", one);
        compareWithPeers("8 threads", eight);
        // Not a target: it shows the remaining differences when no commit waits for the disk.
        try (HikariDataSource notSynced = pool("public&options=-c%20synchronous_commit=off")) {
            System.out.println();
            System.out.print("The next measurement does not wait for the disk at each commit:");
            pairs(notSynced, 1, 160, 15);
        }
        String url = "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
        PostgresSteps steps = new PostgresSteps(pool, url, targets);
        Measurement wakeUp = steps.wakeUp();
        steps.renewal();
        steps.fence();
        new PostgresManyRecords(this::pool, targets).run();
        targets.print();
        List<String> all = List.of(LIMIT, RELEASE_NOT_SYNCED, WIDE, OURS, ENGINE, SHEDLOCK, SPRING);
        new BarChart(
                        "PostgreSQL: acquire and release",
                        "one durable server, one machine, one run; bench/run postgresql")
                .rates("1 thread, pairs per second", one, all)
                .rates("8 threads, pairs per second", eight, all)
                .times("release to waiter's grant (shorter is better)", wakeUp, List.of(PostgresSteps.ROUND_TRIP, OURS))
                .write(Path.of("docs/benchmarks-postgresql.svg"));
    }

    private HikariDataSource pool(String schema) {
        return pool(server, schema, 12);
    }

    /** Each schema has its own tables. */
    static HikariDataSource pool(EmbeddedPostgres server, String schema, int connections) {
        HikariDataSource made = new HikariDataSource();
        made.setJdbcUrl("jdbc:postgresql://localhost:" + server.getPort() + "/postgres?currentSchema=" + schema);
        made.setUsername("postgres");
        made.setMaximumPoolSize(connections);
        made.setMinimumIdle(connections);
        return made;
    }

    private static Measurement pairs(HikariDataSource pool, int threads, int times, int rounds) throws Exception {
        AcquireRelease plain = PostgresLocks.plain(pool);
        AcquireRelease notSynced = PostgresLocks.plainReleaseNotSynced(pool);
        AcquireRelease wide = PostgresLocks.plainWithHistory(pool);
        AcquireRelease shedLock = PostgresLocks.shedLock(pool);
        AcquireRelease spring = PostgresLocks.springIntegration(pool);
        try (Leases leases = Leases.over(JdbcLeaseStore.create(pool))
                .terms(LeaseTerms.ofTtl(PostgresLocks.TTL))
                .build()) {
            AcquireRelease ours = AcquireRelease.leasehold(leases.store(), PostgresLocks.TTL);
            AcquireRelease engine = AcquireRelease.leasehold(leases);
            return new Comparison("PostgreSQL, acquire + release on " + threads + " thread(s)", times, rounds)
                    .warmUp(WARM_UP_PAIRS / times)
                    .addOnThreads(LIMIT, threads, plain::onThread)
                    .addOnThreads(RELEASE_NOT_SYNCED, threads, notSynced::onThread)
                    .addOnThreads(WIDE, threads, wide::onThread)
                    .addOnThreads(OURS, threads, ours::onThread)
                    .addOnThreads(ENGINE, threads, engine::onThread)
                    .addOnThreads(SHEDLOCK, threads, shedLock::onThread)
                    .addOnThreads(SPRING, threads, spring::onThread)
                    .run();
        }
    }

    private void compareWithPeers(String on, Measurement outcome) {
        String work = "PostgreSQL acquire + release, " + on + ": rate against ";
        targets.atLeast(work + LIMIT, 0.9, outcome.speed(OURS, LIMIT));
        targets.atLeast(work + SHEDLOCK, 1.3, outcome.speed(OURS, SHEDLOCK));
        targets.atLeast(work + SPRING, 1.7, outcome.speed(OURS, SPRING));
    }

    static void execute(HikariDataSource pool, String... statements) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
