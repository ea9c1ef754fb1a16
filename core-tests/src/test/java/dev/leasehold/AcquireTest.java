package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Asking for a lease over a faulty network, and waiting for one that another holder has. */
class AcquireTest {
    private static final Duration POLL = Duration.ofMillis(200);

    private final EngineFixture engine = new EngineFixture();

    @Test
    void lostReplyDoesNotLockOutItsSender() {
        engine.network.dropReplyOnce(StoreOperation.ACQUIRE);
        Lease lease = engine.hold();
        assertThat(lease.grant().token().value()).isEqualTo(1);
        assertThat(engine.memory.history(EngineFixture.JOB, 10))
                .as("one grant, not two")
                .hasSize(1);
        assertThat(engine.network.faultsWaiting()).isZero();
    }

    @Test
    void lostRequestIsSentAgain() {
        engine.network.dropRequestOnce(StoreOperation.ACQUIRE);
        assertThat(engine.hold().grant().token().value()).isEqualTo(1);
    }

    @Test
    void requestThatArrivesTwiceCreatesOneGrant() {
        engine.network.duplicateNext(StoreOperation.ACQUIRE);
        assertThat(engine.hold().grant().token().value()).isEqualTo(1);
        assertThat(engine.memory.history(EngineFixture.JOB, 10)).hasSize(1);
    }

    @Test
    void requestThatArrivesAgainAfterTheReleaseIsNotGranted() {
        engine.network.duplicateNextAfter(Duration.ofSeconds(5), StoreOperation.ACQUIRE);
        engine.hold().close();
        engine.advanceSeconds(6);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1)))
                .as("the copy of the request owns nothing")
                .isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void senderThatGivesUpAbandonsAPossibleGrant() {
        for (int i = 0; i < 3; i++) {
            engine.network.dropReplyOnce(StoreOperation.ACQUIRE);
        }
        assertThatThrownBy(() -> engine.leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(engine.calls("abandon")).isEqualTo(1);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        Acquisition.Granted.class,
                        granted -> assertThat(granted.grant().token().value()).isEqualTo(2));
    }

    @Test
    void senderThatCannotAbandonBlocksTheNameForOneTtl() {
        for (int i = 0; i < 3; i++) {
            engine.network.dropReplyOnce(StoreOperation.ACQUIRE);
        }
        engine.network.failUntilHealed(StoreOperation.ABANDON);
        assertThatThrownBy(() -> engine.leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        engine.advanceSeconds(90);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void spentAttemptIsReplacedByOneWithANewIdAndANewClockReading() {
        engine.network.dropReplyOnce(StoreOperation.ACQUIRE);
        engine.network.delayNext(Duration.ofSeconds(100), StoreOperation.ACQUIRE);
        Lease lease = engine.hold();
        assertThat(lease.grant().token().value()).isEqualTo(2);
        assertThat(engine.memory.history(EngineFixture.JOB, 2).get(1).attempt())
                .isNotEqualTo(engine.memory.history(EngineFixture.JOB, 2).get(0).attempt());
        assertThat(lease.remaining())
                .as("counted from the call that was granted")
                .isEqualTo(Duration.ofSeconds(81));
    }

    @Test
    void sameHolderRestartingIsANewOwner() {
        Lease first = engine.hold();
        first.close();
        Lease second = engine.hold();
        assertThat(second.grant().token()).isEqualTo(first.grant().token().next());
        assertThat(second.grant().attempt()).isNotEqualTo(first.grant().attempt());
        assertThat(engine.leases.tryAcquire("job"))
                .as("also while it holds the lease")
                .isInstanceOf(AcquireResult.Busy.class);
    }

    @Test
    void busyLeaseIsReportedAsASkipWithoutWaiting() {
        engine.rival.acquires(Duration.ofSeconds(50));
        assertThat(engine.leases.tryAcquire("job")).isInstanceOfSatisfying(AcquireResult.Busy.class, busy -> {
            assertThat(busy.holder().value()).isEqualTo("rival");
            assertThat(busy.remaining()).isEqualTo(Duration.ofSeconds(50));
        });
        assertThat(engine.events).containsExactly("skipped rival");
        assertThat(engine.elapsed()).as("without waiting").isZero();
    }

    @Test
    void waiterGetsTheLeaseWhenItIsReleased() throws Exception {
        Grant grant = ((Acquisition.Granted) engine.rival.acquires(Duration.ofSeconds(50))).grant();
        engine.manual.timers().after(Duration.ofSeconds(5), () -> engine.memory.release(grant, Duration.ZERO));
        assertThat(wait(Duration.ofSeconds(60))).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(engine.elapsed())
                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(5).plus(POLL));
    }

    @Test
    void waiterGetsTheLeaseOfADeadHolderWithinTtlPlusOnePoll() throws Exception {
        engine.rival.acquires(Duration.ofSeconds(50));
        assertThat(wait(Duration.ofSeconds(60))).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(engine.elapsed())
                .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(50).plus(POLL));
    }

    @Test
    void waiterGetsTheLeaseSoonAfterAnOutageOfTheStore() throws Exception {
        engine.network.failUntilHealed();
        engine.manual.timers().after(Duration.ofSeconds(20), engine.network::heal);
        assertThat(wait(Duration.ofSeconds(60))).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(engine.elapsed()).isLessThan(Duration.ofSeconds(20).plus(POLL));
    }

    @Test
    void waiterGivesUpAtItsDeadline() throws Exception {
        engine.rival.acquires(Duration.ofSeconds(500));
        assertThat(wait(Duration.ofMillis(7_310))).isInstanceOf(AcquireResult.Busy.class);
        assertThat(engine.elapsed()).isEqualTo(Duration.ofMillis(7_310));
        assertThat(engine.calls("acquire")).as("polls").isBetween(30, 45);
    }

    @Test
    void interruptedWaiterAbandonsAPossibleGrant() {
        engine.network.dropReplyOnce(StoreOperation.ACQUIRE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> wait(Duration.ofSeconds(60))).isInstanceOf(InterruptedException.class);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void interruptedTryKeepsTheInterrupt() {
        engine.network.dropRequestOnce(StoreOperation.ACQUIRE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> engine.leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private AcquireResult wait(Duration wait) throws InterruptedException {
        return engine.leases.acquireWithin(EngineFixture.JOB, EngineFixture.TERMS, wait);
    }
}
