package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ManualContext;
import dev.leasehold.testkit.StoreOperation;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regression tests for faults of the engine that were found and fixed. */
class EngineEdgeCasesTest {
    final EngineFixture engine = new EngineFixture();

    @Test
    void damagedRecordOfOneLeaseDoesNotEndTheOthers(@TempDir Path root) throws Exception {
        ManualContext manual = new ManualContext();
        FileLeaseStore store = FileLeaseStore.create(root.resolve("store"));
        Leases leases = Leases.over(store)
                .context(manual.context())
                .terms(LeaseTerms.ofTtl(Duration.ofHours(5)))
                .build();
        Lease bad = leases.tryAcquire("bad").lease().orElseThrow();
        Lease good = leases.tryAcquire("good").lease().orElseThrow();
        Files.write(root.resolve("store/leases/n-bad/state"), new byte[10]);
        manual.advance(Duration.ofHours(6));
        assertThat(bad.isTrusted()).isFalse();
        assertThat(good.isTrusted()).as("good: %s", good.loss()).isTrue();
    }

    @Test
    void storeThatThrowsAnUnexpectedExceptionIsNotFlooded() {
        AtomicInteger renews = new AtomicInteger();
        LeaseStore broken = (LeaseStore)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {LeaseStore.class}, (p, m, a) -> {
                    if (m.getName().equals("renew")) {
                        renews.incrementAndGet();
                        throw new IllegalStateException("driver bug");
                    }
                    return m.invoke(engine.memory, a);
                });
        Leases leases = Leases.over(broken)
                .context(engine.manual.context())
                .terms(EngineFixture.TERMS)
                .build();
        Lease lease = leases.tryAcquire("job").lease().orElseThrow();
        engine.advanceSeconds(100);
        assertThat(renews.get()).isLessThan(200);
        assertThat(lease.loss().orElseThrow()).isInstanceOf(Loss.Unreachable.class);
    }

    @Test
    void errorOfTheWorkLeavesNoStrayInterrupt() throws Exception {
        try {
            engine.leases.run("job", lease -> {
                engine.rival.takesOver();
                engine.advanceSeconds(31);
                throw new AssertionError("an error, not an exception");
            });
        } catch (AssertionError e) {
            // expected
        }
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void blockedCallbacksDoNotDelayTheInterruptOfARun() throws Exception {
        MemoryLeaseStore store = new MemoryLeaseStore();
        CountDownLatch never = new CountDownLatch(1);
        try (Leases leases = Leases.over(store)
                .terms(LeaseTerms.ofTtl(Duration.ofMillis(300)))
                .build()) {
            for (int i = 0; i < 20; i++) {
                leases.tryAcquire("b" + i).lease().orElseThrow().onLost(l -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                store.intervene(Intervention.cancel(
                        LeaseName.of("b" + i), AttemptId.of("attempt-1"), Holder.of("x"), Note.of("n")));
            }
            Thread.sleep(300);
            RunOutcome<String> outcome = leases.run("run", lease -> {
                store.intervene(Intervention.cancel(
                        LeaseName.of("run"), AttemptId.of("attempt-1"), Holder.of("x"), Note.of("n")));
                Thread.sleep(30_000);
                return "was not interrupted";
            });
            never.countDown();
            assertThat(((RunOutcome.Lost<String>) outcome).failure()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void lossIsReportedEvenIfTheLeaseIsClosedBeforeTheCallbackRuns() {
        Lease lease = engine.hold();
        List<Loss> reported = new ArrayList<>();
        lease.onLost(reported::add);
        engine.rival.takesOver();
        engine.network.delayReplyOfNext(Duration.ofSeconds(1), StoreOperation.RENEW);
        engine.advance(Duration.ofSeconds(30));
        engine.manual.timers().run(Timers.Lane.CALLBACK, lease::close);
        engine.advanceSeconds(10);
        assertThat(lease.loss().isPresent()).isEqualTo(!reported.isEmpty());
    }

    @Test
    void hangingInspectionDoesNotDelayRenewals() {
        engine.hold(EngineFixture.TERMS.withProgressWithin(Duration.ofSeconds(30)));
        Lease other = engine.leases.tryAcquire("other").lease().orElseThrow();
        engine.network.delayNext(Duration.ofSeconds(60), StoreOperation.INSPECT);
        engine.advanceSeconds(85);
        assertThat(other.isTrusted()).isTrue();
    }

    @Test
    void leaseIsAcquiredThoughTheListenerThrows() {
        LeaseListener bad = new LeaseListener() {
            @Override
            public void acquired(Lease lease, Transfer transfer) {
                throw new IllegalStateException("metrics are down");
            }
        };
        Leases leases = Leases.over(engine.memory)
                .context(engine.manual.context())
                .listener(bad)
                .build();
        assertThat(leases.tryAcquire("job")).isInstanceOf(AcquireResult.Acquired.class);
    }

    @Test
    void printedDurationsCanBeParsed() {
        for (long s : new long[] {74, 5400, 90_000}) {
            assertThat(DurationText.parse(DurationText.show(Duration.ofSeconds(s))))
                    .isEqualTo(Duration.ofSeconds(s));
        }
    }

    @Test
    void largestCheckpointFits(@TempDir Path root) {
        FileLeaseStore store = FileLeaseStore.create(root.resolve("store"));
        Grant g = ((Acquisition.Granted) store.acquire(
                        EngineFixture.JOB,
                        AttemptId.of("attempt-1"),
                        Holder.of("%".repeat(200)),
                        Duration.ofSeconds(9)))
                .grant();
        assertThat(store.progress(g, Note.of("%".repeat(500)), Checkpoint.of("%".repeat(4096))))
                .isInstanceOf(ProgressReport.Noted.class);
    }

    @Test
    void historyOfManyLongHoldersFitsARegister() {
        CasLeaseStore store = CasLeaseStore.over(
                new MemoryRegister(engine.manual.clock()), engine.manual.timers(), engine.manual.ids());
        store.acquire(EngineFixture.JOB, AttemptId.of("attempt-first"), Holder.of("x"), Duration.ofSeconds(1));
        for (int i = 0; i < 70; i++) {
            store.intervene(Intervention.takeover(
                    EngineFixture.JOB,
                    AttemptId.of("attempt-" + i + "x".repeat(50)),
                    Holder.of("%".repeat(200)),
                    Duration.ofSeconds(9),
                    Note.of("%".repeat(500))));
        }
    }
}
