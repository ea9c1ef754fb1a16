package dev.leasehold.spring.tx;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A real PostgreSQL, its pool and a fenced transaction manager, shared by the tests of this module. */
final class FencedDatabase implements BeforeAllCallback {
    static final FencedDatabase SHARED = new FencedDatabase();

    private static final Duration TTL = Duration.ofMinutes(10);

    private EmbeddedPostgres server;
    HikariDataSource pool;
    JdbcLeaseStore store;
    FencedTransactions fenced;
    JdbcTransactionManager manager;
    JdbcTemplate jdbc;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(FencedDatabase.class))
                .getOrComputeIfAbsent("running", key -> start());
    }

    private AutoCloseable start() {
        try {
            server = EmbeddedPostgres.builder().start();
        } catch (java.io.IOException e) {
            throw new IllegalStateException("the test's database did not start", e);
        }
        pool = newPool("postgres");
        store = JdbcLeaseStore.create(pool);
        fenced = FencedTransactions.creatingTables().naming(() -> store);
        fenced.prepare(pool);
        manager = fencedManager(pool);
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("create table account (id varchar(100) primary key, balance bigint not null)");
        return () -> {
            store.close();
            pool.close();
            server.close();
        };
    }

    HikariDataSource newPool(String database) {
        HikariDataSource made = new HikariDataSource();
        made.setJdbcUrl("jdbc:postgresql://localhost:" + server.getPort() + "/" + database);
        made.setUsername("postgres");
        made.setMaximumPoolSize(6);
        return made;
    }

    JdbcTransactionManager fencedManager(HikariDataSource source) {
        JdbcTransactionManager made = new JdbcTransactionManager(source);
        fenced.attachTo(made, "transactionManager");
        return made;
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(manager);
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate made = transaction();
        made.setPropagationBehavior(propagation);
        return made;
    }

    static String newName() {
        return "job-" + UUID.randomUUID();
    }

    /** The next owner of the name, whoever has it. */
    Grant next(String name) {
        Intervention takeover = Intervention.takeover(
                LeaseName.of(name),
                AttemptId.of("a-" + UUID.randomUUID()),
                Holder.of("machine-" + UUID.randomUUID()),
                TTL,
                Note.of("the next owner"));
        return ((Acquisition.Granted) store.intervene(takeover)).grant();
    }

    void openAccount(String id) {
        jdbc.update("insert into account values (?, 0)", id);
    }

    void add(String id, long amount) {
        jdbc.update("update account set balance = balance + ? where id = ?", amount, id);
    }

    long balance(String id) {
        return Objects.requireNonNull(jdbc.queryForObject("select balance from account where id = ?", Long.class, id));
    }

    /** How often the fence of a lease was asked in a transaction that committed. */
    long admissions(String name) {
        return Objects.requireNonNull(jdbc.queryForObject(
                "select coalesce(max(uses), 0) from leasehold_fence where resource = ?",
                Long.class,
                FencedTransactions.resource(LeaseName.of(name))));
    }

    /** A newer run of the job, from its begin to its commit. */
    Grant runAsSuccessor(String name) {
        Grant grant = next(name);
        try (LeaseScope scope = LeaseScope.open(grant)) {
            transaction().executeWithoutResult(status -> jdbc.queryForObject("select 1", Integer.class));
        }
        return grant;
    }

    void assertNoConnectionLeaked() {
        if (pool.getHikariPoolMXBean().getActiveConnections() != 0) {
            throw new AssertionError(
                    pool.getHikariPoolMXBean().getActiveConnections() + " connections are not given back");
        }
    }

    interface Work<T> {
        T run();
    }

    /** Transactions are bound to threads, so another machine is another thread. */
    <T> T onAnotherThread(Work<T> work) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return thread.submit(work::run).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            thread.shutdownNow();
        }
    }
}
