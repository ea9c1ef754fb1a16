package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.store.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * One process can hold thousands of leases: a round of renewals is one call, and a few threads
 * suffice.
 */
class ManyLeasesTest {
    private static final int MANY = 10_000;

    @Test
    void oneRenewalRoundIsOneCall() {
        EngineFixture engine = new EngineFixture();
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            // Acquired over 5 s, as in a program that starts them one after another.
            if (i % 2000 == 0) {
                engine.advanceSeconds(1);
            }
            held.add(engine.leases.tryAcquire("job-" + i).lease().orElseThrow());
        }
        int before = engine.calls("renew");
        engine.advanceSeconds(300);
        assertThat(engine.calls("renew") - before).as("calls in ten rounds").isBetween(9, 12);
        assertThat(held).allMatch(lease -> lease.remaining().toSeconds() > 40);
        assertThat(engine.events.stream().filter(e -> e.startsWith("renewed")).count())
                .isGreaterThanOrEqualTo(9L * MANY);
    }

    @Test
    void leasesWithDifferentTermsAreRenewedAtTheirOwnIntervals() {
        EngineFixture engine = new EngineFixture();
        Lease quick = engine.hold(LeaseTerms.ofTtl(Duration.ofSeconds(3)));
        Lease slow = engine.leases
                .tryAcquire(LeaseName.of("slow"), LeaseTerms.ofTtl(Duration.ofHours(3)))
                .lease()
                .orElseThrow();
        engine.advanceSeconds(1000);
        assertThat(quick.isTrusted()).isTrue();
        assertThat(slow.isTrusted()).isTrue();
        assertThat(engine.calls("renew")).isBetween(990, 1010);
        assertThat(engine.events.stream().filter(e -> !e.equals("renewed 1")))
                .as("the slow lease is not renewed with every renewal of the quick one")
                .containsExactly("acquired 1", "acquired 1");
    }

    /** Runs with real threads and in real time. */
    @Test
    void atMostSixThreadsRenewThousandsOfLeases() throws Exception {
        CountDownLatch renewed = new CountDownLatch(MANY);
        LeaseListener listener = new LeaseListener() {
            @Override
            public void renewed(Lease lease, Duration gap) {
                renewed.countDown();
            }
        };
        MemoryLeaseStore store = new MemoryLeaseStore();
        List<Loss> lost = new ArrayList<>();
        try (Leases leases = Leases.over(store)
                .terms(LeaseTerms.ofTtl(Duration.ofSeconds(20)).withHeartbeat(Duration.ofMillis(200)))
                .listener(listener)
                .build()) {
            for (int i = 0; i < MANY; i++) {
                leases.tryAcquire("job-" + i).lease().orElseThrow().onLost(lost::add);
            }
            assertThat(renewed.await(20, TimeUnit.SECONDS))
                    .as("all were renewed")
                    .isTrue();
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("leasehold-")))
                    .as("threads")
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(6)
                    .allMatch(Thread::isDaemon);
            assertThat(lost).isEmpty();
        }
    }
}
