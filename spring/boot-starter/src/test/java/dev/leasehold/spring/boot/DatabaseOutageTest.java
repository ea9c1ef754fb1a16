package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.tx.CurrentLease;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.annotation.Transactional;

/** An application whose PostgreSQL is stopped, and how long its pool makes it wait. */
class DatabaseOutageTest {
    /** Of the pool. Long enough that two of them are told from one on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    @TempDir
    Path folder;

    private EmbeddedPostgres server;
    private ConfigurableApplicationContext application;
    private Jobs jobs;
    private CountingPool pool;

    /** Remembers who waited for a connection in vain, and when it was closed. */
    static final class CountingPool extends HikariDataSource {
        private final Queue<Thread> waited = new ConcurrentLinkedQueue<>();

        private volatile long closedNanos;

        @Override
        public void close() {
            closedNanos = System.nanoTime();
            super.close();
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                return super.getConnection();
            } catch (SQLException e) {
                waited.add(Thread.currentThread());
                throw e;
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Jobs.class)
    static class Application {
        @Bean
        CountingPool pool(Environment settings) {
            CountingPool made = new CountingPool();
            made.setJdbcUrl(settings.getRequiredProperty("url"));
            made.setUsername("postgres");
            made.setMaximumPoolSize(4);
            made.setConnectionTimeout(TIMEOUT.toMillis());
            return made;
        }
    }

    static class Jobs {
        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @Leased("plain")
        @Transactional
        public void plain() {
            runs.incrementAndGet();
        }

        @Leased("long")
        public String untilTold() {
            started.countDown();
            try {
                mayEnd.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return CurrentLease.get().grant() + " was interrupted";
            }
            return "ended";
        }

        int runs() {
            return runs.get();
        }

        CountDownLatch started() {
            return started;
        }

        CountDownLatch mayEnd() {
            return mayEnd;
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = server(0);
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "leasehold.drain=2s",
                        "url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres")
                .run();
        jobs = application.getBean(Jobs.class);
        pool = application.getBean(CountingPool.class);
    }

    private EmbeddedPostgres server(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        application.close();
        server.close();
    }

    /** At once and without a shutdown, so that nothing is written after it. */
    private void kill() throws Exception {
        String pid = Files.readAllLines(folder.resolve("data/postmaster.pid")).get(0);
        ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
        List<ProcessHandle> children = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().get(20, TimeUnit.SECONDS);
    }

    private static Duration timed(Runnable work) {
        long began = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private void assertPlainIsRefused() {
        assertThatThrownBy(jobs::plain).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void callWaitsOnceForTheDatabaseAndRunsWhenItIsBack() throws Exception {
        jobs.plain();
        int port = server.getPort();
        server.close();
        assertThat(timed(this::assertPlainIsRefused)).isLessThan(TIMEOUT.multipliedBy(2));
        pool.waited.clear();
        assertThat(timed(this::assertPlainIsRefused)).isBetween(TIMEOUT.minusMillis(100), TIMEOUT.multipliedBy(2));
        assertThat(pool.waited)
                .as("others confirm releases meanwhile")
                .filteredOn(thread -> thread == Thread.currentThread())
                .hasSize(1);
        assertThat(jobs.runs()).as("never without a lease").isEqualTo(1);

        server = server(port);
        jobs.plain();
        assertThat(jobs.runs()).isEqualTo(2);
    }

    @Test
    void methodWhoseDatabaseGoesAwayEndsAfterOneWait() throws Exception {
        CompletableFuture<String> work = CompletableFuture.supplyAsync(jobs::untilTold);
        assertThat(jobs.started().await(60, TimeUnit.SECONDS)).isTrue();
        server.close();
        jobs.mayEnd().countDown();
        assertThat(timed(work::join)).as("the lease is given back, best effort").isLessThan(TIMEOUT.multipliedBy(2));
        assertThat(work).isCompletedWithValue("ended");
    }

    /** Neither a release that is not confirmed nor one that cannot be sent holds the shutdown up. */
    @Test
    void shutdownDoesNotWaitForTheDatabase() throws Exception {
        CompletableFuture<String> work = CompletableFuture.supplyAsync(jobs::untilTold);
        assertThat(jobs.started().await(60, TimeUnit.SECONDS)).isTrue();
        jobs.plain();
        kill();
        long began = System.nanoTime();
        application.close();
        assertThat(Duration.ofNanos(pool.closedNanos - began))
                .as("two seconds each for the drain and for the last try to confirm, before the pool is closed")
                .isLessThan(TIMEOUT);
        assertThat(work.get(60, TimeUnit.SECONDS)).endsWith("was interrupted");
    }
}
