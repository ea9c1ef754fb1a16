package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Renewals do not count as progress. */
class ProgressTest {
    private static final LeaseTerms TERMS = EngineFixture.TERMS.withProgressWithin(Duration.ofSeconds(100));

    private final EngineFixture engine = new EngineFixture();

    @Test
    void progressReportedHereKeepsTheLease() {
        Lease lease = engine.hold(TERMS);
        for (int i = 0; i < 20; i++) {
            engine.advanceSeconds(90);
            lease.progress();
        }
        assertThat(lease.isTrusted()).isTrue();
        assertThat(engine.calls("inspect")).as("the store is not asked").isZero();
    }

    @Test
    void progressReportedToTheStoreByAnotherProcessKeepsTheLease() {
        Lease lease = engine.hold(TERMS);
        for (int i = 0; i < 20; i++) {
            engine.advanceSeconds(90);
            assertThat(engine.memory.progress(lease.grant(), Note.of("step " + i), null))
                    .isInstanceOf(ProgressReport.Noted.class);
        }
        assertThat(lease.isTrusted()).isTrue();
        engine.advanceSeconds(99);
        assertThat(lease.isTrusted()).isTrue();
        engine.advanceSeconds(2);
        assertThat(lease.loss().orElseThrow()).isInstanceOf(Loss.NoProgress.class);
    }

    @Test
    void lackOfProgressEndsTheLeaseExactlyAtTheLimit() {
        Lease lease = engine.hold(TERMS);
        engine.advance(Duration.ofMillis(99_990));
        assertThat(lease.isTrusted()).isTrue();
        engine.advance(Duration.ofMillis(20));
        assertThat(lease.loss()).contains(new Loss.NoProgress(Duration.ofSeconds(100), Duration.ofSeconds(100)));
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void stuckHolderStopsRenewingSoThatAnotherCanTakeOver() {
        engine.hold(TERMS);
        engine.advanceSeconds(100 + 91);
        assertThat(engine.memory.inspect(EngineFixture.JOB).orElseThrow().isFree())
                .isTrue();
    }

    @Test
    void progressOfAStaleTokenDoesNotCount() {
        Lease lease = engine.hold(TERMS);
        engine.rival.takesOver();
        assertThat(lease.progress(Note.of("n"), null)).isInstanceOf(ProgressReport.NotCurrent.class);
    }

    @Test
    void noteAndCheckpointAreKeptForTheNextRun() {
        Lease lease = engine.hold(TERMS);
        lease.progress(Note.of("half"), Checkpoint.of("row 500"));
        lease.progress(Note.of("more"), null);
        assertThat(engine.memory
                        .inspect(EngineFixture.JOB)
                        .orElseThrow()
                        .lease()
                        .progress())
                .satisfies(progress -> {
                    assertThat(progress.note()).isEqualTo(Note.of("more"));
                    assertThat(progress.checkpoint()).isEqualTo(Checkpoint.of("row 500"));
                });
    }

    @Test
    void unreachableStoreDoesNotCountAsLackOfProgress() {
        Lease lease = engine.hold(TERMS);
        engine.advanceSeconds(95);
        engine.memory.progress(lease.grant(), Note.of("from elsewhere"), null);
        engine.network.failNext(3, StoreOperation.INSPECT);
        engine.advanceSeconds(20);
        assertThat(lease.isTrusted()).isTrue();
        assertThat(engine.network.faultsWaiting()).isZero();
    }

    @Test
    void stuckLeaseDoesNotStopRenewalsOfAnother() {
        engine.hold(TERMS);
        Lease other = engine.leases.tryAcquire("other").lease().orElseThrow();
        engine.advanceSeconds(1000);
        assertThat(other.remaining()).isGreaterThan(Duration.ofSeconds(45));
    }
}
