package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spring.LeaseBusyException;
import dev.leasehold.spring.LeaseEvent;
import dev.leasehold.spring.tx.CurrentLease;
import dev.leasehold.spring.tx.StaleLeaseException;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkState;
import io.micrometer.core.instrument.MeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** A whole application on a real PostgreSQL: leased methods, fenced transactions, keys, events, health and the endpoint. */
class ApplicationTest {
    private static EmbeddedPostgres server;
    private static ConfigurableApplicationContext application;

    private static Leases leases;
    private static LedgerJobs jobs;
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transactions;

    private final String name = "job-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder().start();
        application = new SpringApplicationBuilder(LedgerApplication.class)
                .properties(
                        "spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                        "spring.datasource.username=postgres",
                        "spring.main.banner-mode=off",
                        "spring.main.web-application-type=none",
                        "management.endpoint.leases.access=unrestricted",
                        "management.endpoints.web.exposure.include=leases,health",
                        "jobs.ttl=60s",
                        "leasehold.defaults.ttl=30s")
                .run();
        leases = application.getBean(Leases.class);
        jobs = application.getBean(LedgerJobs.class);
        jdbc = application.getBean(JdbcTemplate.class);
        transactions = application.getBean(TransactionTemplate.class);
        jdbc.execute("create table entries (job varchar(100) not null, token bigint not null)");
    }

    @AfterAll
    static void stop() throws Exception {
        application.close();
        server.close();
    }

    @BeforeEach
    void forgetEvents() {
        jobs.events().clear();
    }

    private Lease hold(String lease) {
        return leases.tryAcquire(lease).lease().orElseThrow();
    }

    private long entries() {
        Long count = jdbc.queryForObject("select count(*) from entries where job = ?", Long.class, name);
        return count == null ? 0 : count;
    }

    private void cancel(String lease) {
        leases.store()
                .intervene(Intervention.cancel(
                        LeaseName.of(lease),
                        AttemptId.of("a-" + UUID.randomUUID()),
                        Holder.of("operator"),
                        Note.of("for the test")));
    }

    @Test
    void methodRunsUnderItsLeaseWithItsTerms() {
        Lease lease = jobs.lease(name, null);
        assertThat(lease).isNotNull();
        assertThat(lease.grant().name()).isEqualTo(LeaseName.of("tenant/" + name));
        assertThat(lease.terms().ttl()).as("of the placeholder").isEqualTo(Duration.ofSeconds(60));
        assertThat(lease.terms().minHold()).as("of the class").isEqualTo(Duration.ofMillis(1));
        assertThat(lease.isTrusted()).as("given back").isFalse();
        assertThat(CurrentLease.find()).isEmpty();
        assertThat(jobs.events())
                .extracting(Object::getClass)
                .map(Class::getSimpleName)
                .contains("Acquired", "Released");
    }

    @Test
    void busyLeaseSkipsThrowsWaitsOrAsksTheHandler() {
        try (Lease other = hold(name)) {
            assertThat(jobs.skipped(name)).isNull();
            assertThat(jobs.skippedOptional(name)).isEmpty();
            assertThatThrownBy(() -> jobs.thrown(name))
                    .isInstanceOf(LeaseBusyException.class)
                    .hasMessageContaining("has it, with token");
            assertThatThrownBy(() -> jobs.waits(name, "200ms")).isInstanceOf(LeaseBusyException.class);
            assertThat(jobs.handled(name)).isEqualTo("busy: " + name);
            assertThat(jobs.events()).anyMatch(LeaseEvent.Skipped.class::isInstance);
        }
        assertThat(jobs.skipped(name)).isEqualTo("ran");
        assertThat(jobs.skippedOptional(name)).contains("ran");
        assertThat(jobs.thrown(name)).isEqualTo(1);
        assertThat(jobs.handled(name)).isEqualTo("ran");
    }

    @Test
    void composedAnnotationAndBeanExpressionWork() {
        assertThat(jobs.composed()).isEqualTo("nightly/of-a-bean");
    }

    @Test
    void callInsideACallOfTheSameLeaseRunsUnderIt() {
        assertThat(jobs.outer(name)).isEqualTo("ran inside ran");
    }

    @Test
    void staleTransactionIsRolledBack() {
        assertThatThrownBy(() -> jobs.write(name, () -> {
                    cancel(name);
                    CompletableFuture.runAsync(() -> jobs.write(name, () -> {})).join();
                }))
                .isInstanceOfSatisfying(StaleLeaseException.class, stale -> assertThat(stale)
                        .hasMessageContaining("token 1 of " + name + " is stale")
                        .hasMessageContaining("token 3"));
        assertThat(jdbc.queryForList("select token from entries where job = ?", Long.class, name))
                .as("only the newer run has written")
                .containsExactly(3L);
        assertThat(jobs.events()).anyMatch(LeaseEvent.StaleRefused.class::isInstance);
    }

    @Test
    void leaseInsideATransactionIsHeldUntilTheTransactionEnds() {
        transactions.executeWithoutResult(status -> {
            jobs.write(name, () -> {});
            assertThat(CompletableFuture.supplyAsync(() -> leases.tryAcquire(name))
                            .join())
                    .isInstanceOf(AcquireResult.Busy.class);
            jobs.write(name, () -> {});
        });
        assertThat(entries()).as("both calls, under one lease").isEqualTo(2);
        hold(name).close();
    }

    @Test
    void asynchronousTaskIsFencedWithTheLeaseOfItsSubmitter() throws Exception {
        assertThat(jobs.grantOfTask(name).get(30, TimeUnit.SECONDS).map(Grant::name))
                .contains(LeaseName.of(name));
    }

    @Test
    void keyIsDoneOnceAndCompletedWithTheTransaction() {
        WorkLedger ledger = WorkLedger.over(leases.store());
        WorkId id = WorkId.of("keyed", name);

        assertThatThrownBy(() -> jobs.keyed(name, true)).hasMessage("failed on purpose");
        assertThat(ledger.find(id).map(WorkItem::state)).contains(WorkState.FAILED);
        assertThat(entries()).isZero();

        assertThat(jobs.keyed(name, false)).isEqualTo("done");
        assertThat(ledger.find(id).map(WorkItem::state)).contains(WorkState.DONE);
        assertThat(entries()).isEqualTo(1);

        assertThat(jobs.keyed(name, false)).as("skipped").isNull();
        assertThat(entries()).isEqualTo(1);
    }

    /** Read inside the transaction: not done yet; and a rollback after the method takes the completion back. */
    @Test
    void completionIsPartOfTheTransactionOfACaller() {
        WorkLedger ledger = WorkLedger.over(leases.store());
        WorkId id = WorkId.of("keyed", name);
        transactions.executeWithoutResult(status -> {
            jobs.keyed(name, false);
            assertThat(ledger.find(id).map(WorkItem::state)).contains(WorkState.RUNNING);
            status.setRollbackOnly();
        });
        assertThat(ledger.find(id).map(WorkItem::state)).contains(WorkState.FAILED);
        assertThat(entries()).isZero();
        transactions.executeWithoutResult(status -> jobs.keyed(name, false));
        assertThat(ledger.find(id).map(WorkItem::state)).contains(WorkState.DONE);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void methodWithoutATransactionCompletesItsKeyAfterwards() {
        assertThat(jobs.keyedWithoutTransaction(name)).isEqualTo("done");
        assertThat(jobs.keyedWithoutTransaction(name)).isNull();
    }

    @Test
    void metricsAndHealthAreThere() {
        jobs.skipped(name);
        assertThat(application.getBean(MeterRegistry.class).getMeters())
                .anyMatch(meter -> meter.getId().getName().startsWith("leasehold."));
        assertThat(application.containsBean("leaseholdHealthIndicator")).isTrue();
        assertThat(LeaseHealth.of(leases, application.getBean(RunningCalls.class)))
                .satisfies(health -> assertThat(health.up()).isTrue())
                .satisfies(health -> assertThat(health.details()).containsKeys("store", "holder", "running"));
    }

    @Test
    void endpointShowsHoldersAndHistoryAndCancels() {
        LeasesEndpoint endpoint = application.getBean(LeasesEndpoint.class);
        Lease lease = hold(name);
        assertThat(endpoint.all().leases())
                .filteredOn(each -> each.name().equals(name))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.state()).isEqualTo("held");
                    assertThat(each.holder()).isEqualTo(leases.holder().toString());
                });
        SecurityContext nobody = SecurityContext.NONE;
        assertThat(endpoint.intervene(nobody, new String[] {name}, "cancel", "wrong token", 99)
                        .token())
                .isNull();
        assertThat(lease.isTrusted()).isTrue();
        long token = lease.grant().token().value();
        assertThat(endpoint.intervene(new Person("alice"), new String[] {name}, "cancel", "stuck", token)
                        .token())
                .isEqualTo(token + 1);
        assertThat(endpoint.one(name).history()).first().satisfies(owner -> {
            assertThat(owner.note()).isEqualTo("stuck");
            assertThat(owner.holder()).isEqualTo("alice");
        });
        assertThat(endpoint.one("unknown/name")).isNull();
        lease.close();
    }

    private record Person(String name) implements SecurityContext {
        @Override
        public Principal getPrincipal() {
            return () -> name;
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }
    }

    @Test
    void endpointShowsTheNextRunOfEachKindOfSchedule() {
        Map<String, LeasesEndpoint.NextRun> methods =
                application.getBean(LeasesEndpoint.class).all().methods();
        Instant now = Instant.now();
        Duration day = Duration.ofDays(1);
        assertThat(List.of("byCron", "byRate", "byDelay")).allSatisfy(method -> assertThat(
                        methods.get(LedgerJobs.class.getName() + "." + method).next())
                .isBetween(now, now.plus(day)));
        assertThat(methods.get(LedgerJobs.class.getName() + ".byBoth").next())
                .as("the earlier of two schedules")
                .isBefore(now.plus(Duration.ofHours(3)));
        assertThat(methods.get(LedgerJobs.class.getName() + ".composed").next())
                .as("has no schedule")
                .isNull();
    }

    @Test
    void endpointRefusesWhatMakesNoSenseAsABadRequest() {
        LeasesEndpoint endpoint = application.getBean(LeasesEndpoint.class);
        SecurityContext nobody = SecurityContext.NONE;
        String[] path = {name};
        String[] blank = {"no blanks"};
        assertThatThrownBy(() -> endpoint.intervene(nobody, path, "delete", "why", 1))
                .isInstanceOf(InvalidEndpointRequestException.class);
        assertThatThrownBy(() -> endpoint.intervene(nobody, path, "cancel", "why", 0))
                .isInstanceOf(InvalidEndpointRequestException.class);
        assertThatThrownBy(() -> endpoint.one(blank)).isInstanceOf(InvalidEndpointRequestException.class);
    }

    @Test
    void lostLeaseInterruptsTheMethod() throws InterruptedException {
        long started = System.nanoTime();
        assertThatThrownBy(() -> jobs.sleepWithout(name)).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(55));
        // The interrupt comes first: listeners hear of a loss after the method has been told to stop.
        assertThat(jobs.hears(LeaseEvent.Lost.class)).isTrue();
    }

    @Test
    void termsOfTheApplicationAreTheDefault() {
        assertThat(leases.terms()).isEqualTo(LeaseTerms.ofTtl(Duration.ofSeconds(30)));
        assertThat(Optional.ofNullable(jobs.lease(name, hold("given-" + name))).map(Lease::grant))
                .as("a lease that the caller passes is left alone")
                .map(Grant::name)
                .contains(LeaseName.of("given-" + name));
    }
}
