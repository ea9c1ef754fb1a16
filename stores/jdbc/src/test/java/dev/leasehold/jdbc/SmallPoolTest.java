package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A waiter's connection must not starve the leases that are held through the same pool. */
@Timeout(180)
class SmallPoolTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(9));

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Records whether the held lease was lost. */
    private static final class LossRecorder implements LeaseListener {
        final Semaphore renewals = new Semaphore(0);
        final AtomicReference<Loss> loss = new AtomicReference<>();

        @Override
        public void renewed(Lease lease, Duration gap) {
            renewals.release();
        }

        @Override
        public void lost(Lease lease, Loss why) {
            loss.compareAndSet(null, why);
        }
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** As many stores with a waiter as the pool has connections: each of them could keep one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void waitersDoNotTakeTheConnectionThatRenewalsNeed(int size) throws Exception {
        SmallPool pool = new SmallPool(SERVER.dataSource(), size);
        LossRecorder recorder = new LossRecorder();
        List<Leases> clients = new ArrayList<>();
        LeaseName busy = LeaseName.of("busy-" + UUID.randomUUID());
        try (Leases others = Leases.over(SERVER.openStore()).terms(TERMS).build()) {
            for (int i = 0; i < size; i++) {
                clients.add(Leases.over(JdbcLeaseStore.create(pool))
                        .terms(TERMS)
                        .listener(i == 0 ? recorder : LeaseListener.NONE)
                        .build());
            }
            AcquireResult.Acquired theirs = (AcquireResult.Acquired) others.tryAcquire(busy, TERMS);
            assertThat(clients.get(0).tryAcquire("held-" + UUID.randomUUID()))
                    .isInstanceOf(AcquireResult.Acquired.class);
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (Leases client : clients) {
                waiting.add(threads.submit(() -> acquires(client, busy)));
            }
            recorder.renewals.drainPermits();
            assertThat(recorder.renewals.tryAcquire(4, 60, TimeUnit.SECONDS))
                    .as("renewals while others wait; loss: %s", recorder.loss.get())
                    .isTrue();
            theirs.held().close();
            for (Future<Boolean> one : waiting) {
                assertThat(one.get(90, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(recorder.loss.get()).isNull();
        } finally {
            clients.forEach(Leases::close);
        }
        assertThat(pool.areAllReturned()).as("all connections were returned").isTrue();
    }

    private static boolean acquires(Leases client, LeaseName name) throws Exception {
        AcquireResult answer = client.acquireWithin(name, TERMS, Duration.ofSeconds(60));
        answer.lease().ifPresent(Lease::close);
        return answer instanceof AcquireResult.Acquired;
    }
}
