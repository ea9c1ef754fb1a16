package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A loss is reported once, with its kind, and never for a released lease. */
class LossTest {
    private final EngineFixture engine = new EngineFixture();
    private final List<Loss> reported = new ArrayList<>();

    @Test
    void takeoverIsReportedWithTheSuccessor() {
        Lease lease = watched();
        engine.rival.takesOver();
        engine.advanceSeconds(31);
        assertThat(onlyLoss(lease)).isInstanceOfSatisfying(Loss.Superseded.class, loss -> {
            assertThat(loss.by().holder().value()).isEqualTo("rival");
            assertThat(loss.by().token().value()).isEqualTo(2);
            assertThat(loss.explanation())
                    .contains("token 2 of rival")
                    .contains("takeover")
                    .contains("because");
        });
    }

    @Test
    void freezePastTheTtlIsReportedAsLapsed() {
        Lease lease = watched();
        engine.manual.freeze(Duration.ofSeconds(100));
        assertThat(onlyLoss(lease)).isInstanceOf(Loss.Lapsed.class);
    }

    @Test
    void unavailableStoreIsReportedAsUnreachable() {
        Lease lease = watched();
        engine.network.failUntilHealed(StoreOperation.RENEW);
        engine.advanceSeconds(120);
        assertThat(onlyLoss(lease)).isInstanceOf(Loss.Unreachable.class);
        assertThat(lease.loss().orElseThrow().explanation()).contains("no answer to RENEW");
    }

    @Test
    void storeThatLostItsRecordsIsReportedAsForgotten() {
        Lease lease = watched();
        engine.replaceStore(engine.freshStore());
        engine.advanceSeconds(31);
        assertThat(onlyLoss(lease)).isInstanceOf(Loss.Forgotten.class);
        assertThat(lease.loss().orElseThrow().explanation()).contains("repair");
    }

    @Test
    void leaseThatIsOnlyRenewedEndsForLackOfProgress() {
        Lease lease = engine.hold(EngineFixture.TERMS.withProgressWithin(Duration.ofSeconds(200)));
        lease.onLost(reported::add);
        engine.advanceSeconds(199);
        assertThat(reported).isEmpty();
        engine.advanceSeconds(2);
        assertThat(onlyLoss(lease)).isInstanceOf(Loss.NoProgress.class);
        int renewals = engine.calls("renew");
        engine.advanceSeconds(600);
        assertThat(engine.calls("renew")).as("no more renewals").isEqualTo(renewals);
    }

    @Test
    void lossIsReportedOnceToEachCallbackEvenIfRegisteredLate() {
        Lease lease = watched();
        lease.onLost(reported::add);
        engine.rival.takesOver();
        engine.advanceSeconds(31);
        assertThat(reported).hasSize(2);
        lease.onLost(reported::add);
        assertThat(reported).hasSize(3);
        engine.advanceSeconds(600);
        assertThat(reported).hasSize(3).containsOnly(lease.loss().orElseThrow());
        assertThat(engine.events.stream().filter(e -> e.startsWith("lost"))).hasSize(1);
    }

    @Test
    void closedLeaseIsNeverLost() {
        Lease lease = watched();
        lease.close();
        lease.onLost(reported::add);
        engine.rival.takesOver();
        engine.manual.freeze(Duration.ofSeconds(1000));
        engine.advanceSeconds(1000);
        assertThat(reported).isEmpty();
        assertThat(lease.loss()).isEmpty();
        assertThat(lease.isTrusted()).isFalse();
        assertThat(engine.calls("renew")).isZero();
    }

    @Test
    void hangingCallDoesNotDelayTheLossOfTrust() {
        Lease lease = engine.hold();
        List<Duration> when = new ArrayList<>();
        lease.onLost(loss -> when.add(engine.elapsed()));
        engine.network.delayNext(Duration.ofMinutes(10), StoreOperation.RENEW);
        engine.advanceSeconds(700);
        assertThat(when).containsExactly(Duration.ofSeconds(81));
        assertThat(engine.events.stream().filter(e -> e.startsWith("lost")))
                .as("the late answer changes nothing")
                .hasSize(1);
    }

    @Test
    void leaseSurvivesAnOutageThatEndsInTime() {
        Lease lease = watched();
        engine.network.failUntilHealed(StoreOperation.RENEW);
        engine.advanceSeconds(79);
        assertThat(lease.isTrusted()).isTrue();
        engine.network.heal();
        engine.advanceSeconds(3);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(70));
        engine.advanceSeconds(1000);
        assertThat(reported).isEmpty();
        assertThat(engine.events)
                .as("the listener sees how late the renewal was")
                .contains("renewed 80");
    }

    @Test
    void unavailableStoreIsRetriedButNotFlooded() {
        watched();
        engine.network.failUntilHealed(StoreOperation.RENEW);
        engine.advanceSeconds(200);
        int tries = engine.calls("renew");
        assertThat(tries)
                .as("about one renewal a second, from 30 s to the loss at 81 s")
                .isBetween(40, 55);
        assertThat(reported).hasSize(1);
        engine.network.heal();
        engine.advanceSeconds(200);
        assertThat(engine.calls("renew")).as("no renewal of a lost lease").isEqualTo(tries);
    }

    @Test
    void renewalIsRetriedAfterALostReply() {
        Lease lease = watched();
        engine.network.dropReplyOnce(StoreOperation.RENEW);
        engine.advanceSeconds(35);
        assertThat(engine.calls("renew")).isEqualTo(2);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(75));
        assertThat(reported).isEmpty();
    }

    @Test
    void callbackThatThrowsDoesNotStopOtherCallbacks() {
        Lease lease = engine.hold();
        lease.onLost(loss -> {
            throw new IllegalStateException("the user's mistake");
        });
        lease.onLost(reported::add);
        engine.rival.takesOver();
        engine.advanceSeconds(31);
        assertThat(reported).hasSize(1);
        assertThat(engine.events).contains("lost superseded");
    }

    @Test
    void answerOfTheWrongLengthIsIgnored() {
        Lease lease = watched();
        Lease other = engine.leases
                .tryAcquire(LeaseName.of("other"), EngineFixture.TERMS)
                .lease()
                .orElseThrow();
        engine.replaceRenewals(answers -> answers.subList(0, 1));
        engine.advanceSeconds(40);
        assertThat(lease.remaining()).as("nothing was renewed").isLessThan(Duration.ofSeconds(42));
        assertThat(other.remaining()).isLessThan(Duration.ofSeconds(42));
        engine.replaceRenewals(answers -> answers);
        engine.advanceSeconds(200);
        assertThat(lease.isTrusted() && other.isTrusted()).isTrue();
        assertThat(reported).isEmpty();
    }

    private Lease watched() {
        Lease lease = engine.hold();
        lease.onLost(reported::add);
        return lease;
    }

    private Loss onlyLoss(Lease lease) {
        assertThat(lease.isTrusted()).isFalse();
        engine.advanceSeconds(500);
        assertThat(reported).hasSize(1);
        assertThat(lease.loss()).contains(reported.get(0));
        assertThat(engine.events.stream().filter(e -> e.startsWith("lost")))
                .containsExactly("lost " + reported.get(0).kind().word());
        return reported.get(0);
    }
}
