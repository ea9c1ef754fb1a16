package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A holder trusts its lease for less time than the store keeps it, even with bad clocks and
 * networks.
 */
class TrustTest {
    private final EngineFixture engine = new EngineFixture();

    @Test
    void trustCountsFromBeforeTheAcquireNotFromItsReply() {
        engine.network.delayReplyOfNext(Duration.ofSeconds(20), StoreOperation.ACQUIRE);
        assertThat(engine.hold().remaining()).isEqualTo(Duration.ofSeconds(81 - 20));
    }

    @Test
    void acquireThatArrivesLateIsTrustedFromWhenItWasSent() {
        engine.network.delayNext(Duration.ofSeconds(20), StoreOperation.ACQUIRE);
        assertThat(engine.hold().remaining()).isEqualTo(Duration.ofSeconds(81 - 20));
    }

    @Test
    void slowRenewReplyDoesNotExtendTrust() {
        Lease lease = engine.hold();
        engine.network.delayReplyOfNext(Duration.ofSeconds(25), StoreOperation.RENEW);
        engine.advanceSeconds(30);
        assertThat(engine.elapsed()).isEqualTo(Duration.ofSeconds(55));
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(30 + 81 - 55));
    }

    @Test
    void renewReplyAfterTheTrustedTimeIsTooLate() {
        Lease lease = engine.hold();
        engine.network.delayReplyOfNext(Duration.ofSeconds(200), StoreOperation.RENEW);
        engine.advanceSeconds(300);
        assertThat(lease.isTrusted()).isFalse();
        assertThat(lease.loss()).isPresent();
    }

    @Test
    void leaseIsNotTrustedAfterALaptopSlept() {
        Lease lease = engine.hold();
        List<Loss> reported = lossesOf(lease);
        engine.manual.laptopSleeps(Duration.ofSeconds(82));
        assertThat(lease.isTrusted()).as("immediately, before any timer runs").isFalse();
        assertThatThrownBy(lease::requireTrusted)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("job token 1");
        engine.advanceSeconds(1);
        assertThat(reported).singleElement().isInstanceOf(Loss.Lapsed.class);
        assertThat(engine.calls("renew"))
                .as("a lease that may have a new owner is not renewed")
                .isZero();
    }

    @Test
    void shortSleepOfALaptopDoesNotLoseTheLease() {
        Lease lease = engine.hold();
        engine.manual.laptopSleeps(Duration.ofSeconds(40));
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(41));
        engine.advanceSeconds(2);
        assertThat(engine.calls("renew"))
                .as("overdue, so renewed soon after the wake")
                .isEqualTo(1);
        assertThat(lease.remaining()).isGreaterThanOrEqualTo(Duration.ofSeconds(79));
    }

    @Test
    void frozenProcessHasLostItsLease() {
        Lease lease = engine.hold();
        List<Loss> reported = lossesOf(lease);
        engine.manual.freeze(Duration.ofSeconds(85));
        assertThat(reported).singleElement().isInstanceOf(Loss.Lapsed.class);
        assertThat(reported.get(0).explanation()).contains("1m25s").contains("1m21s");
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void wallClockThatIsSetBackDoesNotExtendTrust() {
        Lease lease = engine.hold();
        engine.manual.ticker().jumpWallClock(Duration.ofHours(-1));
        engine.network.failUntilHealed(StoreOperation.RENEW);
        engine.advance(Duration.ofMillis(80_990));
        assertThat(lease.isTrusted()).isTrue();
        engine.advance(Duration.ofMillis(10));
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void wallClockThatIsSetAheadEndsTrustEarly() {
        Lease lease = engine.hold();
        engine.manual.ticker().jumpWallClock(Duration.ofHours(1));
        assertThat(lease.isTrusted()).isFalse();
    }

    @Test
    void trustEndsWhileTheStoreStillKeepsTheLease() {
        for (long ttl : new long[] {1, 7, 90, 3600}) {
            for (long slow : new long[] {0, 1, 2}) {
                EngineFixture here = new EngineFixture();
                LeaseTerms terms = LeaseTerms.ofTtl(Duration.ofSeconds(ttl));
                Duration delay = terms.heartbeat().multipliedBy(slow).dividedBy(3);
                here.network.delayReplyOfNext(delay, StoreOperation.ACQUIRE);
                Lease lease = here.hold(terms);
                here.network.delayReplyOfNext(delay, StoreOperation.RENEW);
                here.advance(Duration.ofSeconds(ttl * 2));
                here.network.failUntilHealed();
                while (lease.isTrusted()) {
                    here.advance(Duration.ofMillis(10 * ttl));
                    if (lease.isTrusted()) {
                        assertThat(here.rival.acquires(Duration.ofSeconds(1)))
                                .as("ttl %s, delay %s: trusted, so no other client gets it", ttl, delay)
                                .isInstanceOf(Acquisition.Busy.class);
                    }
                }
                here.advance(terms.ttl());
                assertThat(here.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
            }
        }
    }

    @Test
    void leaseThatIsRenewedInTimeLasts() {
        Lease lease = engine.hold();
        for (int i = 0; i < 1000; i++) {
            engine.advanceSeconds(10);
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(45));
        }
        assertThat(engine.calls("renew")).isBetween(10_000 / 30 - 1, 10_000 / 30 + 1);
        assertThat(engine.memory.history(EngineFixture.JOB, 10))
                .as("the token stays the same")
                .hasSize(1);
    }

    private static List<Loss> lossesOf(Lease lease) {
        List<Loss> reported = new ArrayList<>();
        lease.onLost(reported::add);
        return reported;
    }
}
