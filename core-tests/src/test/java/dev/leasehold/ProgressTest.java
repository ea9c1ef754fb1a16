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

/** A heartbeat is not progress. */
class ProgressTest {
    private static final LeaseTerms TERMS = EngineWorld.TERMS.withProgressWithin(Duration.ofSeconds(100));

    private final EngineWorld world = new EngineWorld();

    @Test
    void progressReportedHereKeepsTheLease() {
        Lease lease = world.hold(TERMS);
        for (int i = 0; i < 20; i++) {
            world.advanceSeconds(90);
            lease.progress();
        }
        assertThat(lease.isTrusted()).isTrue();
        assertThat(world.calls("inspect")).as("no need to ask the store").isZero();
    }

    @Test
    void progressReportedToTheStoreByAnotherProcessKeepsTheLease() {
        Lease lease = world.hold(TERMS);
        for (int i = 0; i < 20; i++) {
            world.advanceSeconds(90);
            assertThat(world.memory.progress(lease.grant(), Note.of("step " + i), null))
                    .isInstanceOf(ProgressReport.Noted.class);
        }
        assertThat(lease.isTrusted()).isTrue();
        world.advanceSeconds(99);
        assertThat(lease.isTrusted()).isTrue();
        world.advanceSeconds(2);
        assertThat(lease.loss().orElseThrow()).isInstanceOf(Loss.NoProgress.class);
    }

    @Test
    void silenceEndsItAtTheLimitAndNotLater() {
        Lease lease = world.hold(TERMS);
        world.advance(Duration.ofMillis(99_990));
        assertThat(lease.isTrusted()).isTrue();
        world.advance(Duration.ofMillis(20));
        assertThat(lease.loss()).contains(new Loss.NoProgress(Duration.ofSeconds(100), Duration.ofSeconds(100)));
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void stuckHolderStopsRenewingSoThatAnotherCanTakeOver() {
        world.hold(TERMS);
        world.advanceSeconds(100 + 91);
        assertThat(world.memory.inspect(EngineWorld.JOB).orElseThrow().isFree()).isTrue();
    }

    @Test
    void progressOfAStaleTokenCountsForNothing() {
        Lease lease = world.hold(TERMS);
        world.rivalTakesOver();
        assertThat(lease.progress(Note.of("n"), null)).isInstanceOf(ProgressReport.NotCurrent.class);
    }

    @Test
    void noteAndCheckpointAreKeptForTheNextRun() {
        Lease lease = world.hold(TERMS);
        lease.progress(Note.of("half"), Checkpoint.of("row 500"));
        lease.progress(Note.of("more"), null);
        assertThat(world.memory.inspect(EngineWorld.JOB).orElseThrow().lease().progress())
                .satisfies(progress -> {
                    assertThat(progress.note()).isEqualTo(Note.of("more"));
                    assertThat(progress.checkpoint()).isEqualTo(Checkpoint.of("row 500"));
                });
    }

    @Test
    void storeThatCannotBeAskedAboutProgressIsNoProofOfNone() {
        Lease lease = world.hold(TERMS);
        world.advanceSeconds(95);
        world.memory.progress(lease.grant(), Note.of("from elsewhere"), null);
        world.network.failNext(3, StoreOperation.INSPECT);
        world.advanceSeconds(20);
        assertThat(lease.isTrusted()).isTrue();
        assertThat(world.network.faultsWaiting()).isZero();
    }

    @Test
    void stuckLeaseDoesNotKeepAnotherFromBeingRenewed() {
        world.hold(TERMS);
        Lease other = world.leases.tryAcquire("other").lease().orElseThrow();
        world.advanceSeconds(1000);
        assertThat(other.remaining()).isGreaterThan(Duration.ofSeconds(45));
    }
}
