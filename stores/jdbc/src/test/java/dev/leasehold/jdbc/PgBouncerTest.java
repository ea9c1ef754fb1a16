package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.AcquireResult;
import dev.leasehold.Leases;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import dev.leasehold.testkit.Racers;
import dev.leasehold.testkit.environment.Requires;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Behind a pooler that gives every transaction another session, no session state may be relied on.
 */
@Requires("pgbouncer")
@Timeout(180)
class PgBouncerTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 30;

    /**
     * The waiter once slept for half a minute, because the notification went to a session that was
     * no longer its own.
     */
    @Test
    void waiterDoesNotSleepThroughTheReleaseInTransactionMode() throws Exception {
        try (PgBouncer bouncer = new PgBouncer("transaction", SERVER.port(), 3);
                LeaseStore holding = new JdbcStoreProvider().create(bouncer.url());
                LeaseStore waiting = new JdbcStoreProvider().create(bouncer.url());
                Leases waiter = Leases.over(waiting).build()) {
            LeaseName name = LeaseName.of("bounced-" + UUID.randomUUID());
            Grant grant = acquire(holding, name);
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                Future<AcquireResult> asked =
                        thread.submit(() -> waiter.acquireWithin(name, LeaseTerms.ofTtl(LONG), Duration.ofSeconds(20)));
                TimeUnit.SECONDS.sleep(3);
                assertThat(holding.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
                assertThat(asked.get(60, TimeUnit.SECONDS)).isInstanceOf(AcquireResult.Acquired.class);
            } finally {
                thread.shutdownNow();
            }
            assertThat(waiting.watch(name))
                    .as("a wake-up that the pooler cannot deliver")
                    .isEmpty();
        }
    }

    @Test
    void waiterIsWokenInSessionMode() throws Exception {
        try (PgBouncer bouncer = new PgBouncer("session", SERVER.port(), 8);
                LeaseStore store = new JdbcStoreProvider().create(bouncer.url())) {
            LeaseName name = LeaseName.of("session-" + UUID.randomUUID());
            Grant grant = acquire(store, name);
            try (Watch watch = store.watch(name).orElseThrow()) {
                assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
                long began = System.nanoTime();
                watch.await(Duration.ofMinutes(2));
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
            }
        }
    }

    /**
     * The name of a prepared statement means another statement, or none, in the next session.
     */
    @Test
    void everyStepWorksInAnySession() throws Exception {
        try (PgBouncer bouncer = new PgBouncer("transaction", SERVER.port(), 2);
                Racers racers = new Racers(CLIENTS)) {
            List<Boolean> all = racers.race(i -> {
                try (LeaseStore store = new JdbcStoreProvider().create(bouncer.url())) {
                    for (int round = 0; round < ROUNDS; round++) {
                        // In a different order in each client, so that their statement names
                        // differ.
                        if (i % 2 == 0) {
                            useRegister(store);
                            useLease(store);
                        } else {
                            useLease(store);
                            useRegister(store);
                        }
                    }
                    return true;
                }
            });
            assertThat(all).containsOnly(true);
        }
    }

    private static void useLease(LeaseStore store) {
        LeaseName name = LeaseName.of("steps-" + UUID.randomUUID());
        for (int token = 1; token <= 2; token++) {
            Grant grant = acquire(store, name);
            assertThat(grant.token().value()).isEqualTo(store.floor() + token);
            assertThat(store.renew(List.of(new RenewRequest(grant, LONG))))
                    .hasSize(1)
                    .allMatch(Renewal.Renewed.class::isInstance);
            assertThat(store.progress(grant, Note.of("half"), null)).isInstanceOf(ProgressReport.Noted.class);
            assertThat(store.inspect(name).orElseThrow().lease().token()).isEqualTo(grant.token());
            assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        }
        assertThat(store.history(name, 10)).hasSize(2);
        assertThat(store.list(name.value(), "", 10)).hasSize(1);
    }

    private static void useRegister(LeaseStore store) {
        CasRegister register = store.register();
        String key = "steps-" + UUID.randomUUID();
        assertThat(register.compareAndSet(key, CasRegister.ABSENT, "one")).isTrue();
        assertThat(register.compareAndSet(key, register.read(key).version(), "two"))
                .isTrue();
        assertThat(register.read(key).value()).contains("two");
        assertThat(register.remove(key, register.read(key).version())).isTrue();
    }

    private static Grant acquire(LeaseStore store, LeaseName name) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return ((Acquisition.Granted) store.acquire(name, attempt, HOLDER, LONG)).grant();
    }
}
