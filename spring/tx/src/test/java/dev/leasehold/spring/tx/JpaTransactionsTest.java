package dev.leasehold.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Grant;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of JPA: what the persistence context has not written yet is fenced as well. */
class JpaTransactionsTest {
    @RegisterExtension
    static final FencedDatabase DATABASE = FencedDatabase.SHARED;

    private static LocalContainerEntityManagerFactoryBean factory;
    private static JpaTransactionManager manager;
    private static EntityManager entities;

    private final String name = FencedDatabase.newName();

    @BeforeAll
    static void startHibernate() {
        factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(DATABASE.pool);
        factory.setManagedTypes(
                org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes.of(JpaAccount.class.getName()));
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "none"));
        factory.afterPropertiesSet();
        EntityManagerFactory made = Objects.requireNonNull(factory.getObject());
        manager = new JpaTransactionManager(made);
        manager.afterPropertiesSet();
        DATABASE.fenced.attachTo(manager, "jpaTransactionManager");
        entities = SharedEntityManagerCreator.createSharedEntityManager(made);
    }

    @AfterAll
    static void stopHibernate() {
        factory.destroy();
    }

    @BeforeEach
    void openAccount() {
        DATABASE.openAccount(name);
    }

    @AfterEach
    void nothingLeaks() {
        DATABASE.assertNoConnectionLeaked();
    }

    private void add(long amount) {
        entities.find(JpaAccount.class, name).add(amount);
    }

    @Test
    void transactionOfTheNewestLeaseCommits() {
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            new TransactionTemplate(manager).executeWithoutResult(status -> add(5));
        }
        assertThat(DATABASE.balance(name)).isEqualTo(5);
        assertThat(DATABASE.admissions(name)).as("one raise, one commit").isEqualTo(2);
    }

    @Test
    void changesThatWereNotFlushedAreRolledBackWithTheStaleTransaction() throws Exception {
        ExecutorService machine = Executors.newSingleThreadExecutor();
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            assertThatThrownBy(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
                        add(5);
                        run(machine, () -> DATABASE.runAsSuccessor(name));
                    }))
                    .isInstanceOf(StaleLeaseException.class);
        } finally {
            machine.shutdownNow();
        }
        assertThat(DATABASE.balance(name)).isZero();
    }

    @Test
    void readOnlyAndSuspendedTransactionsWork() {
        TransactionTemplate reading = new TransactionTemplate(manager);
        reading.setReadOnly(true);
        TransactionTemplate separate = new TransactionTemplate(manager);
        separate.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            reading.executeWithoutResult(status -> add(7));
            new TransactionTemplate(manager)
                    .executeWithoutResult(status -> separate.executeWithoutResult(inner -> add(5)));
        }
        assertThat(DATABASE.balance(name)).isEqualTo(5);
    }

    /** The fence is asked after the flush: in the other order, two transactions of one grant deadlock. */
    @Test
    void transactionsOfOneGrantThatChangeOneRowDoNotDeadlock() throws Exception {
        Grant grant = DATABASE.next(name);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                all.add(threads.submit(() -> {
                    try (LeaseScope scope = LeaseScope.open(grant)) {
                        for (int i = 0; i < 30; i++) {
                            new TransactionTemplate(manager).executeWithoutResult(status -> entities.createNativeQuery(
                                            "update account set balance = balance + 1 where id = :id")
                                    .setParameter("id", name)
                                    .executeUpdate());
                        }
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(DATABASE.balance(name)).isEqualTo(90);
    }

    private static void run(ExecutorService machine, Runnable work) {
        try {
            machine.submit(work).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
