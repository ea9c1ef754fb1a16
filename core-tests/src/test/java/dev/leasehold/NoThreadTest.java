package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Intervention;
import dev.leasehold.store.MemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Real timers in a process that cannot start more threads: a loss is still reported, and a renewal
 * follows later.
 */
class NoThreadTest {
    private static final LeaseName JOB = LeaseName.of("job");
    private static final long PATIENCE_SECONDS = 60;
    /** Renewed often, and lost only if nothing happens for almost a minute. */
    private static final LeaseTerms LASTING =
            LeaseTerms.ofTtl(Duration.ofMinutes(1)).withHeartbeat(Duration.ofMillis(50));

    private final ScarceThreads threads = new ScarceThreads();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final SystemTimers timers = new SystemTimers(threads);
    private final BlockingQueue<Duration> renewals = new LinkedBlockingQueue<>();
    private final BlockingQueue<Loss> losses = new LinkedBlockingQueue<>();
    private final Leases leases = Leases.over(store)
            .context(new EngineContext(new SystemTicker(), timers, new SystemIds()))
            .listener(new LeaseListener() {
                @Override
                public void renewed(Lease lease, Duration gap) {
                    renewals.add(gap);
                }

                @Override
                public void lost(Lease lease, Loss loss) {
                    losses.add(loss);
                }
            })
            .build();

    @AfterEach
    void close() {
        leases.close();
        timers.close();
    }

    @Test
    void renewalIsRetriedIfNoThreadCanBeStarted() throws InterruptedException {
        Lease lease = leases.tryAcquire(JOB, LASTING).lease().orElseThrow();
        threads.refuse(name -> name.contains("store"));
        awaitRefusals(3);
        assertThat(renewals).isEmpty();
        threads.refuse(name -> false);
        assertThat(next(renewals))
                .as("the first renewal after threads can be started")
                .isNotNull();
        assertThat(lease.isTrusted()).isTrue();
        lease.close();
    }

    @Test
    void lossIsReportedAndTheWorkStoppedWithoutNewThreads() throws Exception {
        BlockingQueue<Loss> reported = new LinkedBlockingQueue<>();
        RunOutcome<String> outcome = leases.run(JOB, LeaseTerms.ofTtl(Duration.ofMillis(900)), lease -> {
            lease.onLost(reported::add);
            threads.refuse(name -> true);
            Thread.sleep(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            return "never stopped";
        });
        assertThat(outcome).isInstanceOf(RunOutcome.Lost.class);
        assertThat(next(reported)).isInstanceOfSatisfying(Loss.Unreachable.class, loss -> assertThat(loss.explanation())
                .contains("no thread"));
        assertThat(next(losses)).as("loss reported to the listener").isInstanceOf(Loss.Unreachable.class);
    }

    @Test
    void oneThreadIsEnoughToReportEveryLoss() throws InterruptedException {
        int callbacks = 20;
        CountDownLatch reported = new CountDownLatch(callbacks);
        Lease lease = leases.tryAcquire(JOB, LASTING).lease().orElseThrow();
        assertThat(next(renewals)).isNotNull();
        threads.refuse(name -> true);
        for (int i = 0; i < callbacks; i++) {
            lease.onLost(loss -> {
                reported.countDown();
                throw new AssertionError("the user's mistake, which must not end the only thread that reports");
            });
        }
        store.intervene(Intervention.takeover(
                JOB, AttemptId.of("rival-attempt"), Holder.of("rival"), Duration.ofMinutes(1), Note.of("because")));
        assertThat(reported.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(next(losses)).isInstanceOf(Loss.Superseded.class);
    }

    @Test
    void leaseThatCannotBeWatchedIsReleased() {
        for (String thread : new String[] {"timer", "last-resort"}) {
            threads.refuse(name -> name.contains(thread));
            assertThatThrownBy(() -> leases.tryAcquire(JOB, LASTING))
                    .as("no %s thread", thread)
                    .hasMessageContaining("thread");
            Acquisition rival =
                    store.acquire(JOB, AttemptId.of("rival-of-" + thread), Holder.of("rival"), Duration.ofMinutes(1));
            assertThat(rival).as("the name is free immediately").isInstanceOf(Acquisition.Granted.class);
            store.release(((Acquisition.Granted) rival).grant(), Duration.ZERO);
        }
        threads.refuse(name -> false);
        assertThat(leases.tryAcquire(JOB, LASTING).lease()).isPresent();
    }

    @Test
    void closedTimersLeaveNoThread() throws InterruptedException {
        assertThat(leases.tryAcquire(JOB, LASTING).lease()).isPresent();
        assertThat(next(renewals)).isNotNull();
        leases.close();
        timers.close();
        for (Thread thread : threads.alive()) {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        }
        assertThat(threads.alive()).isEmpty();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void awaitRefusals(int count) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (threads.refused().size() < count && System.nanoTime() < until) {
            Thread.sleep(5);
        }
        assertThat(threads.refused()).hasSizeGreaterThanOrEqualTo(count);
    }
}
