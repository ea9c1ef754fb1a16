package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Asking for a lease over a bad network, and waiting for one that somebody else has. */
class AcquireTest {
    private static final Duration POLL = Duration.ofMillis(200);

    private final EngineWorld world = new EngineWorld();

    @Test
    void lostReplyDoesNotLockOutItsSender() {
        world.network.dropReplyOnce(StoreOperation.ACQUIRE);
        Lease lease = world.hold();
        assertThat(lease.grant().token().value()).isEqualTo(1);
        assertThat(world.memory.history(EngineWorld.JOB, 10))
                .as("one grant, not two")
                .hasSize(1);
        assertThat(world.network.faultsWaiting()).isZero();
    }

    @Test
    void lostRequestIsSentAgain() {
        world.network.dropRequestOnce(StoreOperation.ACQUIRE);
        assertThat(world.hold().grant().token().value()).isEqualTo(1);
    }

    @Test
    void requestThatArrivesTwiceMakesOneOwner() {
        world.network.duplicateNext(StoreOperation.ACQUIRE);
        assertThat(world.hold().grant().token().value()).isEqualTo(1);
        assertThat(world.memory.history(EngineWorld.JOB, 10)).hasSize(1);
    }

    @Test
    void requestThatArrivesAgainAfterTheReleaseOwnsNothing() {
        world.network.duplicateNextAfter(Duration.ofSeconds(5), StoreOperation.ACQUIRE);
        world.hold().close();
        world.advanceSeconds(6);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1)))
                .as("the copy must not have become an owner that nobody knows")
                .isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void senderThatGivesUpGivesBackWhatItMayHaveBeenGranted() {
        for (int i = 0; i < 3; i++) {
            world.network.dropReplyOnce(StoreOperation.ACQUIRE);
        }
        assertThatThrownBy(() -> world.leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(world.calls("abandon")).isEqualTo(1);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        Acquisition.Granted.class,
                        granted -> assertThat(granted.grant().token().value()).isEqualTo(2));
    }

    @Test
    void senderThatCannotEvenGiveBackIsOutAfterTheTtl() {
        for (int i = 0; i < 3; i++) {
            world.network.dropReplyOnce(StoreOperation.ACQUIRE);
        }
        world.network.failUntilHealed(StoreOperation.ABANDON);
        assertThatThrownBy(() -> world.leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        world.advanceSeconds(90);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void spentAttemptAsksAgainWithANewIdAndANewClockReading() {
        world.network.dropReplyOnce(StoreOperation.ACQUIRE);
        world.network.delayNext(Duration.ofSeconds(100), StoreOperation.ACQUIRE);
        Lease lease = world.hold();
        assertThat(lease.grant().token().value()).isEqualTo(2);
        assertThat(world.memory.history(EngineWorld.JOB, 2).get(1).attempt())
                .isNotEqualTo(world.memory.history(EngineWorld.JOB, 2).get(0).attempt());
        assertThat(lease.remaining())
                .as("counted from the call that was granted")
                .isEqualTo(Duration.ofSeconds(81));
    }

    @Test
    void sameHolderRestartingIsANewOwner() {
        Lease first = world.hold();
        first.close();
        Lease second = world.hold();
        assertThat(second.grant().token()).isEqualTo(first.grant().token().next());
        assertThat(second.grant().attempt()).isNotEqualTo(first.grant().attempt());
        assertThat(world.leases.tryAcquire("job"))
                .as("also while it holds it itself")
                .isInstanceOf(AcquireResult.Busy.class);
    }

    @Test
    void busyIsAnAnswerAndToldAsASkip() {
        world.rivalAcquires(Duration.ofSeconds(50));
        assertThat(world.leases.tryAcquire("job")).isInstanceOfSatisfying(AcquireResult.Busy.class, busy -> {
            assertThat(busy.holder().value()).isEqualTo("rival");
            assertThat(busy.remaining()).isEqualTo(Duration.ofSeconds(50));
        });
        assertThat(world.events).containsExactly("skipped rival");
        assertThat(world.elapsed()).as("without waiting").isZero();
    }

    @Test
    void waiterGetsItWhenItIsReleased() throws Exception {
        Grant grant = ((Acquisition.Granted) world.rivalAcquires(Duration.ofSeconds(50))).grant();
        world.manual.timers().after(Duration.ofSeconds(5), () -> world.memory.release(grant, Duration.ZERO));
        assertThat(wait(Duration.ofSeconds(60))).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(world.elapsed())
                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(5).plus(POLL));
    }

    @Test
    void waiterGetsItWithinTtlAndOnePollWhenItsHolderDied() throws Exception {
        world.rivalAcquires(Duration.ofSeconds(50));
        assertThat(wait(Duration.ofSeconds(60))).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(world.elapsed())
                .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(50).plus(POLL));
    }

    @Test
    void waiterWhoseStoreWasAwayGetsItSoonAfterItIsBack() throws Exception {
        world.network.failUntilHealed();
        world.manual.timers().after(Duration.ofSeconds(20), world.network::heal);
        assertThat(wait(Duration.ofSeconds(60))).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(20).plus(POLL));
    }

    @Test
    void waiterGivesUpAtItsDeadline() throws Exception {
        world.rivalAcquires(Duration.ofSeconds(500));
        assertThat(wait(Duration.ofMillis(7_310))).isInstanceOf(AcquireResult.Busy.class);
        assertThat(world.elapsed()).isEqualTo(Duration.ofMillis(7_310));
        assertThat(world.calls("acquire")).as("polls").isBetween(30, 45);
    }

    @Test
    void interruptedWaiterGivesBackWhatItMayHaveBeenGranted() {
        world.network.dropReplyOnce(StoreOperation.ACQUIRE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> wait(Duration.ofSeconds(60))).isInstanceOf(InterruptedException.class);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void interruptedTryKeepsTheInterrupt() {
        world.network.dropRequestOnce(StoreOperation.ACQUIRE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> world.leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private AcquireResult wait(Duration wait) throws InterruptedException {
        return world.leases.acquireWithin(EngineWorld.JOB, EngineWorld.TERMS, wait);
    }
}
