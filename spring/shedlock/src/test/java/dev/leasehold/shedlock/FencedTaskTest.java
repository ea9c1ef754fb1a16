package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.spring.tx.CurrentLease;
import dev.leasehold.spring.tx.FencedTransactionManagers;
import dev.leasehold.spring.tx.FencedTransactions;
import dev.leasehold.spring.tx.StaleLeaseException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * A Spring application whose task has ShedLock's annotation and a transaction, on a real PostgreSQL.
 * One run of the task stalls until another one has taken over.
 */
class FencedTaskTest {
    private static final String TASK = "add the orders";

    @RegisterExtension
    static final SuiteServer SERVER = SuiteServer.POSTGRESQL;

    /** What an application that uses ShedLock has; only the first two beans are about Leasehold. */
    @Configuration
    @EnableTransactionManagement
    @EnableSchedulerLock(defaultLockAtMostFor = "PT1M")
    static class Application {
        @Bean
        LockProvider lockProvider(Leases leases) {
            return new LeaseholdLockProvider(leases);
        }

        @Bean
        static FencedTransactionManagers fencedTransactions(Environment environment) {
            Set<String> exempt = Set.of(environment.getRequiredProperty("exempt"));
            return new FencedTransactionManagers(FencedTransactions::creatingTables, exempt);
        }

        @Bean
        Leases leases() {
            return Leases.over(Stores.create(SERVER.url())).build();
        }

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:" + SERVER.url().replace("postgres@", "") + "?user=postgres");
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        Semaphore began() {
            return new Semaphore(0);
        }

        @Bean
        Orders orders(DataSource source, Semaphore began) {
            return new Orders(new JdbcTemplate(source), began);
        }
    }

    /** Reads the balance, and writes it back with what was ordered. */
    static class Orders {
        private final JdbcTemplate jdbc;
        private final Semaphore began;

        Orders(JdbcTemplate jdbc, Semaphore began) {
            this.jdbc = jdbc;
            this.began = began;
        }

        @SchedulerLock(name = TASK, lockAtMostFor = "PT0.2S")
        @Transactional
        public void add(int amount, CountDownLatch stalled) {
            Integer balance = jdbc.queryForObject("select balance from shedlock_account", Integer.class);
            assertThat(CurrentLease.grant()).isPresent();
            began.release();
            await(stalled);
            jdbc.update("update shedlock_account set balance = ?", balance + amount);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeEach
    void createAccount() {
        try (AnnotationConfigApplicationContext application = application("none")) {
            JdbcTemplate jdbc = new JdbcTemplate(application.getBean(DataSource.class));
            jdbc.execute("drop table if exists shedlock_account");
            jdbc.execute("create table shedlock_account as select 0 as balance");
        }
    }

    private static AnnotationConfigApplicationContext application(String exempt) {
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        application
                .getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("exempt", exempt)));
        application.register(Application.class);
        application.refresh();
        return application;
    }

    @Test
    void transactionOfATaskThatOutlivedItsLockIsRolledBack() throws Exception {
        try (AnnotationConfigApplicationContext application = application("none")) {
            CompletableFuture<Void> stale = stallAndTakeOver(application);

            assertThatThrownBy(() -> stale.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(StaleLeaseException.class)
                    .hasMessageContaining("the transaction was rolled back");
            assertThat(balance(application)).isEqualTo(10);
            assertThat(CurrentLease.grant()).isEmpty();
        }
    }

    /** The same accident without the fence, which shows that the test would notice it. */
    @Test
    void withoutTheFenceTheStaleTransactionOverwritesTheNewerOne() throws Exception {
        try (AnnotationConfigApplicationContext application = application("transactionManager")) {
            stallAndTakeOver(application).get(60, TimeUnit.SECONDS);

            assertThat(balance(application)).isEqualTo(1);
        }
    }

    /** One run reads and stalls. Another one waits for its lock to end, and commits. Then the first one goes on. */
    private static CompletableFuture<Void> stallAndTakeOver(AnnotationConfigApplicationContext application)
            throws Exception {
        Orders orders = application.getBean(Orders.class);
        CountDownLatch stalled = new CountDownLatch(1);
        CompletableFuture<Void> stale = CompletableFuture.runAsync(() -> orders.add(1, stalled));
        Semaphore began = application.getBean(Semaphore.class);
        assertThat(began.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        for (int tries = 0; tries < 600 && !began.tryAcquire(); tries++) {
            Thread.sleep(50);
            orders.add(10, new CountDownLatch(0));
        }
        assertThat(balance(application)).isEqualTo(10);
        stalled.countDown();
        return stale;
    }

    private static int balance(AnnotationConfigApplicationContext application) {
        return new JdbcTemplate(application.getBean(DataSource.class))
                .queryForObject("select balance from shedlock_account", Integer.class);
    }
}
