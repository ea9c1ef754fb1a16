package dev.leasehold.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.model.Grant;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** The fence of each data source: read-only, repeatable read, several of them, none. */
class FencedDataSourcesTest {
    @RegisterExtension
    static final FencedDatabase DATABASE = FencedDatabase.SHARED;

    private final String name = FencedDatabase.newName();
    private final String account = name;

    @BeforeEach
    void openAccount() {
        DATABASE.openAccount(account);
    }

    @AfterEach
    void nothingLeaks() {
        DATABASE.assertNoConnectionLeaked();
        assertThat(CurrentLease.grant()).isEmpty();
    }

    @Test
    void readOnlyTransactionNeedsNoFenceOnItsOwnConnection() {
        TransactionTemplate reading = DATABASE.transaction();
        reading.setReadOnly(true);
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            assertThat(reading.<Long>execute(status -> DATABASE.balance(account)))
                    .isZero();
        }
        assertThat(DATABASE.admissions(name)).as("only the raise").isEqualTo(1);
    }

    /** H2 writes in spite of the hint, so a read-only transaction is fenced there. */
    @Test
    void readOnlyHintThatTheDatabaseIgnoresDoesNotOpenTheFence() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcTemplate jdbc = new JdbcTemplate(h2);
        jdbc.execute("create table t (n int)");
        JdbcTransactionManager manager = new JdbcTransactionManager(h2);
        FencedTransactions fenced = FencedTransactions.creatingTables();
        fenced.attachTo(manager, "h2");
        TransactionTemplate reading = new TransactionTemplate(manager);
        reading.setReadOnly(true);
        Grant zombie = DATABASE.next(name);
        Grant successor = DATABASE.next(name);
        try (LeaseScope scope = LeaseScope.open(zombie)) {
            assertThatThrownBy(() -> reading.executeWithoutResult(status -> {
                        jdbc.update("insert into t values (1)");
                        DATABASE.onAnotherThread(() -> {
                            try (LeaseScope newer = LeaseScope.open(successor)) {
                                new TransactionTemplate(manager).executeWithoutResult(inner -> {});
                            }
                            return successor;
                        });
                    }))
                    .isInstanceOf(StaleLeaseException.class);
        }
        assertThat(jdbc.queryForObject("select count(*) from t", Integer.class)).isZero();
    }

    /** The snapshot hides the successor; the database reports a failure to serialize instead. */
    @Test
    void staleTransactionOfRepeatableReadIsReportedAsStale() {
        TransactionTemplate snapshot = DATABASE.transaction();
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            snapshot.executeWithoutResult(status -> DATABASE.add(account, 1));
            assertThatThrownBy(() -> snapshot.executeWithoutResult(status -> {
                        DATABASE.add(account, 1);
                        DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
                    }))
                    .isInstanceOf(StaleLeaseException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
        assertThat(DATABASE.balance(account)).isEqualTo(1);
    }

    @Test
    void eachDataSourceHasItsOwnFence() {
        DATABASE.jdbc.execute("create database second_" + name.replace('-', '_'));
        try (HikariDataSource second = DATABASE.newPool("second_" + name.replace('-', '_'))) {
            TransactionTemplate there = new TransactionTemplate(DATABASE.fencedManager(second));
            JdbcTemplate jdbc = new JdbcTemplate(second);
            jdbc.execute("create table t (n int)");
            Grant zombie = DATABASE.next(name);
            try (LeaseScope scope = LeaseScope.open(zombie)) {
                DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
                there.executeWithoutResult(status -> jdbc.update("insert into t values (1)"));
                DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
                there.executeWithoutResult(status -> jdbc.update("insert into t values (2)"));
                assertThatThrownBy(
                                () -> DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1)))
                        .isInstanceOf(StaleLeaseException.class);
            }
            assertThat(jdbc.queryForObject("select count(*) from t", Integer.class))
                    .as("the successor has not come to the second database")
                    .isEqualTo(2);
        }
        assertThat(DATABASE.balance(account)).isEqualTo(1);
    }

    @Test
    void managerWithoutADataSourceIsRefusedUnderALease() {
        NoDatabase manager = new NoDatabase();
        DATABASE.fenced.attachTo(manager, "messages");
        TransactionTemplate transaction = new TransactionTemplate(manager);
        transaction.executeWithoutResult(status -> {});
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("leasehold.fencing.exempt=messages");
            NoDatabase exempt = new NoDatabase();
            new FencedTransactionManagers(() -> DATABASE.fenced, Set.of("messages"))
                    .postProcessAfterInitialization(exempt, "messages");
            new TransactionTemplate(exempt).executeWithoutResult(status -> {});
        }
    }

    /** It takes no listener, so nobody could ask the fence before its commit. */
    @Test
    void managerThatCannotBeFencedIsRefusedUnderALease() {
        Object made = processed(Set.of(), new NotConfigurable());
        assertThat(made).as("still what the application expects").isInstanceOf(NotConfigurable.class);
        TransactionTemplate transaction = new TransactionTemplate((PlatformTransactionManager) made);
        assertThat(transaction.<Boolean>execute(status -> true)).isTrue();
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("leasehold.fencing.exempt=odd");
            Object exempt = processed(Set.of("odd"), new NotConfigurable());
            new TransactionTemplate((PlatformTransactionManager) exempt).executeWithoutResult(status -> {});
        }
    }

    private static Object processed(Set<String> exempt, Object manager) {
        return new FencedTransactionManagers(() -> DATABASE.fenced, exempt)
                .postProcessAfterInitialization(manager, "odd");
    }

    static class NotConfigurable implements PlatformTransactionManager {
        @Override
        public TransactionStatus getTransaction(TransactionDefinition definition) {
            return new SimpleTransactionStatus();
        }

        @Override
        public void commit(TransactionStatus status) {}

        @Override
        public void rollback(TransactionStatus status) {}
    }

    /** As those of message brokers. */
    private static final class NoDatabase extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
