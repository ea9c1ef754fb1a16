package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spring.LeaseEvent;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.tx.CurrentLease;
import dev.leasehold.spring.tx.LeaseScope;
import dev.leasehold.spring.tx.LeaseTaskDecorator;
import dev.leasehold.testkit.UnreliableLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;

/** An application in which much goes wrong: listeners, threads, the database, the shutdown. */
class RoughApplicationTest {
    private static Server database;
    private static ConfigurableApplicationContext application;
    private static Jobs jobs;
    private static Leases leases;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    @Import({Jobs.class, Many.class, BadListener.class})
    static class Application {}

    static class BadListener {
        @EventListener
        public void on(LeaseEvent event) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Scope(BeanDefinition.SCOPE_PROTOTYPE)
    static class Many {
        @Leased("many")
        public String run() {
            return CurrentLease.get().grant().name().value();
        }
    }

    static class Jobs {
        private final CompletableFuture<String> inBackground = new CompletableFuture<>();
        private final CountDownLatch started = new CountDownLatch(1);

        @Leased("plain")
        @Transactional
        public String plain() {
            return CurrentLease.get().grant().toString();
        }

        @Async
        @Leased("background")
        public void background(Thread caller) {
            assertThat(Thread.currentThread()).isNotEqualTo(caller);
            inBackground.complete(CurrentLease.get().grant().name().value());
        }

        @Leased(name = "restless", ttl = "10m")
        public void restless() {
            started.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            // The flag stays set, as it should in code that does not throw.
        }

        CompletableFuture<String> inBackground() {
            return inBackground;
        }

        CountDownLatch started() {
            return started;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        application = application(database.getPort());
        jobs = application.getBean(Jobs.class);
        leases = application.getBean(Leases.class);
    }

    private static ConfigurableApplicationContext application(int port) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.main.lazy-initialization=true",
                        "spring.datasource.url=jdbc:h2:tcp://localhost:" + port + "/mem:rough;DB_CLOSE_DELAY=-1",
                        "spring.datasource.hikari.connection-timeout=500")
                .run();
    }

    @AfterAll
    static void stop() throws Exception {
        application.close();
        database.stop();
    }

    @Test
    void listenerThatThrowsDisturbsNothing() {
        assertThat(jobs.plain()).startsWith("plain");
        assertThat(leases.tryAcquire("plain").lease().orElseThrow().release())
                .as("was given back")
                .isPresent();
    }

    @Test
    void prototypeBeansAreLeased() {
        assertThat(application.getBean(Many.class)).isNotSameAs(application.getBean(Many.class));
        assertThat(application.getBean(Many.class).run()).isEqualTo("many");
    }

    @Test
    void asynchronousMethodAcquiresOnTheThreadThatRunsIt() throws Exception {
        jobs.background(Thread.currentThread());
        assertThat(jobs.inBackground().get(30, TimeUnit.SECONDS)).isEqualTo("background");
    }

    /** The lease of the submitter ended with its method; the task must not run beside another machine. */
    @Test
    void taskThatOutlivesTheLeasedMethodAcquiresTheLeaseItself() throws Exception {
        Runnable later;
        String[] grants = new String[2];
        try (Lease lease = leases.tryAcquire("plain").lease().orElseThrow();
                LeaseScope scope = LeaseScope.open(lease)) {
            later = new LeaseTaskDecorator().decorate(() -> grants[1] = jobs.plain());
            grants[0] = jobs.plain();
            assertThat(grants[0]).as("inside").isEqualTo(lease.grant().toString());
        }
        CompletableFuture.runAsync(later).get(60, TimeUnit.SECONDS);
        assertThat(grants[1]).startsWith("plain").isNotEqualTo(grants[0]);
    }

    @Test
    void databaseThatGoesAwayIsReportedAndNothingRuns() throws Exception {
        try (UnreliableLink link = new UnreliableLink(database.getPort());
                ConfigurableApplicationContext other = application(link.port())) {
            Jobs there = other.getBean(Jobs.class);
            assertThat(there.plain()).startsWith("plain");
            link.refuse();
            assertThatThrownBy(there::plain).isInstanceOf(StoreUnavailableException.class);
            assertThat(LeaseHealth.of(other.getBean(Leases.class), other.getBean(RunningCalls.class))
                            .up())
                    .isFalse();
        }
    }

    @Test
    void shutdownEndsTheWorkAndGivesTheLeaseBackBeforeThePoolCloses() throws Exception {
        ConfigurableApplicationContext other = application(database.getPort());
        Jobs there = other.getBean(Jobs.class);
        CompletableFuture<Void> work = CompletableFuture.runAsync(there::restless);
        assertThat(there.started().await(60, TimeUnit.SECONDS)).isTrue();
        other.close();
        work.get(60, TimeUnit.SECONDS);
        assertThat(leases.tryAcquire("restless").lease())
                .as("free, long before its ttl")
                .isPresent();
    }
}
