package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Giving a lease back, or passing it on. */
class CloseTest {
    private final EngineWorld world = new EngineWorld();

    @Test
    void closeGivesBackOnce() {
        Lease lease = world.hold();
        assertThat(lease.release()).contains(new Release.Released());
        assertThat(lease.release()).isEmpty();
        lease.close();
        assertThat(world.events).containsExactly("acquired 1", "Released");
        assertThat(world.calls("release")).isEqualTo(1);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void zombieCannotReleaseItsSuccessor() {
        Lease lease = world.hold();
        world.rivalTakesOver();
        assertThat(lease.release().orElseThrow()).isInstanceOf(Release.NotCurrent.class);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1)))
                .as("still the rival's")
                .isInstanceOf(Acquisition.Busy.class);
    }

    @Test
    void storeThatDoesNotAnswerIsToldToTheListenerAndNotThrown() {
        Lease lease = world.hold();
        world.network.failUntilHealed();
        lease.close();
        assertThat(world.events).containsExactly("acquired 1", "release failed");
        world.network.heal();
        world.advanceSeconds(91);
        assertThat(world.calls("renew")).as("closed is closed").isZero();
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void releaseItselfThrowsWhenTheStoreDoesNotAnswer() {
        Lease lease = world.hold();
        world.network.failUntilHealed();
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void minHoldKeepsTheNameTakenAfterAnEarlyRelease() {
        world.hold(EngineWorld.TERMS.withMinHold(Duration.ofSeconds(40))).close();
        world.advanceSeconds(39);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        world.advanceSeconds(1);
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void detachedLeaseIsKeptButNotRenewed() {
        Grant grant = world.hold().detach();
        world.advanceSeconds(89);
        assertThat(world.calls("renew")).isZero();
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        assertThat(world.memory.renew(List.of(new RenewRequest(grant, Duration.ofSeconds(90)))))
                .singleElement()
                .isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void renewalThatIsUnderWayDoesNotBringAClosedLeaseBack() {
        Lease lease = world.hold();
        world.network.delayNext(Duration.ofSeconds(5), StoreOperation.RENEW);
        world.manual.timers().after(Duration.ofSeconds(32), lease::close);
        world.advanceSeconds(60);
        assertThat(world.events).contains("Released").noneMatch(e -> e.startsWith("lost"));
        assertThat(lease.loss()).isEmpty();
        assertThat(world.rivalAcquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void closedLeasesStopsRenewing() {
        world.hold();
        world.leases.close();
        world.advanceSeconds(300);
        assertThat(world.calls("renew")).isZero();
        assertThat(world.manual.timers().pending()).isZero();
    }
}
