package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Transfer;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that runs under a lease is interrupted when the lease is lost, and only then. */
class RunTest {
    private final EngineFixture engine = new EngineFixture();

    @AfterEach
    void noStrayInterrupt() {
        assertThat(Thread.interrupted())
                .as("an interrupt after the end of the run")
                .isFalse();
    }

    @Test
    void workThatEndsInTimeIsReportedAsRan() throws Exception {
        assertThat(engine.leases.run("job", lease -> {
                    engine.advanceSeconds(200);
                    return lease.grant().token().value();
                }))
                .isEqualTo(new RunOutcome.Ran<>(1L));
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).as("released").isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void busyLeaseSkipsTheWork() throws Exception {
        engine.rival.acquires(Duration.ofSeconds(50));
        RunOutcome<String> outcome = engine.leases.run("job", lease -> {
            throw new AssertionError("must not run");
        });
        assertThat(outcome).isInstanceOf(RunOutcome.Skipped.class);
    }

    @Test
    void workWaitsForABusyLease() throws Exception {
        engine.rival.acquires(Duration.ofSeconds(50));
        assertThat(engine.leases.runWithin(
                        EngineFixture.JOB, EngineFixture.TERMS, Duration.ofSeconds(60), lease -> lease.grant()
                                .token()
                                .value()))
                .isEqualTo(new RunOutcome.Ran<>(2L));
        assertThat(engine.rival.acquires(Duration.ofSeconds(50)))
                .as("released")
                .isInstanceOf(Acquisition.Granted.class);
        assertThat(engine.leases.runWithin(
                        EngineFixture.JOB, EngineFixture.TERMS, Duration.ofSeconds(10), lease -> "must not run"))
                .isInstanceOf(RunOutcome.Skipped.class);
    }

    /** For callers that release later than the work ends, such as at the end of a transaction. */
    @Test
    void leaseThatRunsWorkIsStillHeldAfterwards() throws Exception {
        Lease lease = engine.leases.tryAcquire("job").lease().orElseThrow();
        assertThat(lease.run(held -> held.grant().token().value())).isEqualTo(new RunOutcome.Ran<>(1L));
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        assertThat(lease.isTrusted()).isTrue();
        lease.close();
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void listenerThatThrowsDoesNotKeepEventsFromTheOthers() {
        LeaseCounters counters = new LeaseCounters();
        LeaseListener broken = new LeaseListener() {
            @Override
            public void acquired(Lease lease, Transfer transfer) {
                throw new IllegalStateException("broken on purpose");
            }
        };
        try (Leases leases = Leases.over(new MemoryLeaseStore())
                .listener(LeaseListener.all(List.of(broken, counters)))
                .build()) {
            leases.tryAcquire("job").lease().orElseThrow().close();
        }
        assertThat(counters.counts()).containsEntry("acquired", 1L).containsEntry("released", 1L);
    }

    @Test
    void lossInterruptsTheWork() throws Exception {
        RunOutcome<String> outcome = engine.leases.run("job", lease -> {
            engine.rival.takesOver();
            engine.advanceSeconds(31);
            Thread.sleep(60_000);
            return "not reached";
        });
        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Lost.class, lost -> {
            assertThat(lost.loss()).isInstanceOf(Loss.Superseded.class);
            assertThat(lost.failure()).isInstanceOf(InterruptedException.class);
        });
        assertThat(engine.calls("release")).as("nothing to release").isZero();
    }

    @Test
    void workThatIgnoresTheInterruptIsReportedAsLost() throws Exception {
        RunOutcome<String> outcome = engine.leases.run("job", lease -> {
            engine.rival.takesOver();
            engine.advanceSeconds(31);
            return "done";
        });
        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Lost.class, lost -> assertThat(lost.failure())
                .isNull());
    }

    @Test
    void workThatReturnsAfterItsTrustedTimeIsReportedAsLost() throws Exception {
        RunOutcome<String> outcome = engine.leases.run("job", lease -> {
            engine.manual.timers().skip(Duration.ofSeconds(82));
            return "done";
        });
        assertThat(outcome).isInstanceOf(RunOutcome.Lost.class);
    }

    @Test
    void failureOfTheWorkIsThrownWhileTheLeaseIsTrusted() {
        assertThatThrownBy(() -> engine.leases.run("job", lease -> {
                    throw new IOException("the work's own");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the work's own");
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).as("released").isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void failureOfTheWorkAfterTheLossIsPartOfTheLoss() throws Exception {
        RunOutcome<String> outcome = engine.leases.run("job", lease -> {
            engine.manual.freeze(Duration.ofSeconds(100));
            throw new IOException("too late");
        });
        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Lost.class, lost -> assertThat(lost.failure())
                .hasMessage("too late"));
    }

    @Test
    void lossAfterTheWorkInterruptsNoThread() throws Exception {
        engine.leases.run("job", lease -> "done");
        engine.rival.takesOver();
        engine.advanceSeconds(300);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void interruptFromOtherCodeIsKept() throws Exception {
        RunOutcome<String> outcome = engine.leases.run("job", lease -> {
            Thread.currentThread().interrupt();
            return "done";
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isInstanceOf(RunOutcome.Ran.class);
    }
}
