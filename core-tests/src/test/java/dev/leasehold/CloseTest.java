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

/** Releasing a lease, or passing it on. */
class CloseTest {
    private final EngineFixture engine = new EngineFixture();

    @Test
    void closeReleasesOnce() {
        Lease lease = engine.hold();
        assertThat(lease.release()).contains(new Release.Released());
        assertThat(lease.release()).isEmpty();
        lease.close();
        assertThat(engine.events).containsExactly("acquired 1", "Released");
        assertThat(engine.calls("release")).isEqualTo(1);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void zombieCannotReleaseTheLeaseOfItsSuccessor() {
        Lease lease = engine.hold();
        engine.rival.takesOver();
        assertThat(lease.release().orElseThrow()).isInstanceOf(Release.NotCurrent.class);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1)))
                .as("the rival still holds it")
                .isInstanceOf(Acquisition.Busy.class);
    }

    @Test
    void failedReleaseIsReportedToTheListenerAndNotThrown() {
        Lease lease = engine.hold();
        engine.network.failUntilHealed();
        lease.close();
        assertThat(engine.events).containsExactly("acquired 1", "release failed");
        engine.network.heal();
        engine.advanceSeconds(91);
        assertThat(engine.calls("renew")).as("no renewal after close").isZero();
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void releaseItselfThrowsWhenTheStoreDoesNotAnswer() {
        Lease lease = engine.hold();
        engine.network.failUntilHealed();
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void minHoldKeepsTheNameTakenAfterAnEarlyRelease() {
        engine.hold(EngineFixture.TERMS.withMinHold(Duration.ofSeconds(40))).close();
        engine.advanceSeconds(39);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        engine.advanceSeconds(1);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void detachedLeaseIsKeptButNotRenewed() {
        Grant grant = engine.hold().detach();
        engine.advanceSeconds(89);
        assertThat(engine.calls("renew")).isZero();
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Busy.class);
        assertThat(engine.memory.renew(List.of(new RenewRequest(grant, Duration.ofSeconds(90)))))
                .singleElement()
                .isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void renewalUnderWayDoesNotReviveAClosedLease() {
        Lease lease = engine.hold();
        engine.network.delayNext(Duration.ofSeconds(5), StoreOperation.RENEW);
        engine.manual.timers().after(Duration.ofSeconds(32), lease::close);
        engine.advanceSeconds(60);
        assertThat(engine.events).contains("Released").noneMatch(e -> e.startsWith("lost"));
        assertThat(lease.loss()).isEmpty();
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void closingLeasesStopsRenewals() {
        engine.hold();
        engine.leases.close();
        engine.advanceSeconds(300);
        assertThat(engine.calls("renew")).isZero();
        assertThat(engine.manual.timers().pending()).isZero();
    }
}
