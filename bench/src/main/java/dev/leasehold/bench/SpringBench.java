package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.spring.tx.LeaseScope;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Methods of a Spring application: {@code @Leased} against {@code @SchedulerLock}, and fenced transactions
 * against bare ones, on one durable PostgreSQL and one pool.
 */
final class SpringBench {
    private static final String OURS = "@Leased";
    private static final String SHEDLOCK = "@SchedulerLock, JdbcTemplate";
    private static final String BARE = "@Transactional";
    private static final String FENCED = "the same inside a @Leased method";

    /** As in the other measurements: with fewer, the slower contenders run code that is not compiled yet. */
    private static final int WARM_UP_CALLS = 5000;

    private final ConfigurableApplicationContext application;
    private final SpringBenchJobs jobs;
    private final Targets targets = new Targets();

    private SpringBench(ConfigurableApplicationContext application) {
        this.application = application;
        this.jobs = application.getBean(SpringBenchJobs.class);
    }

    static void run(Path directory) throws Exception {
        try (EmbeddedPostgres server = PostgresBench.durable(directory);
                HikariDataSource pool = PostgresBench.pool(server, "public", 12)) {
            PostgresLocks.createTables(pool);
            PostgresBench.execute(
                    pool,
                    "create table plain_row (id int primary key, n bigint)",
                    "insert into plain_row values (1, 0)");
            try (ConfigurableApplicationContext application = start(pool)) {
                new SpringBench(application).run();
            }
        }
    }

    private static ConfigurableApplicationContext start(DataSource pool) {
        ApplicationContextInitializer<GenericApplicationContext> addsPool = context ->
                context.registerBean("pool", DataSource.class, () -> pool, bean -> bean.setDestroyMethodName(""));
        return new SpringApplicationBuilder(SpringBenchApplication.class)
                .web(WebApplicationType.NONE)
                .initializers(addsPool)
                .properties(Map.of("spring.main.banner-mode", "off", "logging.level.root", "warn"))
                .run();
    }

    private void run() throws Exception {
        emptyMethods(1, 160);
        emptyMethods(8, 800);
        transactions();
        leasedTransactions();
        targets.print();
    }

    private void emptyMethods(int threads, int times) throws Exception {
        AcquireRelease leased = jobs::leased;
        AcquireRelease locked = jobs::locked;
        Measurement outcome = new Comparison("Spring, an empty method on " + threads + " thread(s)", times, 25)
                .warmUp(WARM_UP_CALLS / times)
                .addOnThreads(SHEDLOCK, threads, locked::onThread)
                .addOnThreads(OURS, threads, leased::onThread)
                .run();
        targets.atLeast(
                "Spring, an empty " + OURS + " method, " + threads + " thread(s): rate against " + SHEDLOCK,
                1.3,
                outcome.speed(OURS, SHEDLOCK));
    }

    /** The lease is held during all transactions, so this is what a fence adds to each of them. */
    private void transactions() throws Exception {
        Comparison.Work update = times -> {
            for (int i = 0; i < times; i++) {
                jobs.update();
            }
        };
        try (Lease lease = application
                .getBean(Leases.class)
                .tryAcquire("bench/fenced")
                .lease()
                .orElseThrow()) {
            Measurement outcome = new Comparison("Spring, a transaction that writes one row", 200, 25)
                    .warmUp(WARM_UP_CALLS / 200)
                    .add(BARE, update)
                    .add(FENCED, times -> {
                        try (LeaseScope scope = LeaseScope.open(lease)) {
                            update.repeat(times);
                        }
                    })
                    .run();
            targets.atMost("Spring, a fenced transaction against the bare one: time", 1.5, outcome.speed(BARE, FENCED));
        }
    }

    /** Not a target: the whole method, with lock and transaction. */
    private void leasedTransactions() throws Exception {
        AcquireRelease leased = jobs::leasedUpdate;
        AcquireRelease locked = jobs::lockedUpdate;
        new Comparison("Spring, a method with a lock and a transaction that writes one row", 160, 25)
                .warmUp(WARM_UP_CALLS / 160)
                .addOnThreads(SHEDLOCK + ", not fenced", 1, locked::onThread)
                .addOnThreads(OURS + ", fenced", 1, leased::onThread)
                .run();
    }
}
