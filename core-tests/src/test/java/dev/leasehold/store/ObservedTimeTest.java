package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a lease is over in a store that has no clock. Each host has clocks of its own, which only the test moves. */
class ObservedTimeTest {
    private static final LeaseName NAME = ObservingHost.NAME;
    private static final Duration TTL = ObservingHost.TTL;
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final MemoryRegister memory = new MemoryRegister(new ManualClock());
    private final ObservingHost holder = new ObservingHost(memory);
    private final ObservingHost contender = new ObservingHost(memory);

    @Test
    void contenderWaitsForTheWholeTermFromItsFirstLook() {
        Grant grant = holder.granted();
        holder.ticker.advance(TTL);
        contender.assertBusy();
        contender.ticker.advance(TTL.minus(MOMENT));
        contender.assertBusy();
        contender.ticker.advance(MOMENT);
        assertThat(contender.granted().token()).isEqualTo(grant.token().next());
    }

    @Test
    void clockOfAHostDoesNotEndALease() {
        holder.granted();
        contender.assertBusy();
        contender.clock.advance(Duration.ofDays(365));
        contender.assertBusy();
        contender.ticker.jumpWallClock(Duration.ofDays(365));
        contender.assertBusy();
    }

    /** Ages are for people: nothing is decided by them. */
    @Test
    void ageOfALeaseCountsByTheClockOfTheHostThatLooks() {
        holder.granted();
        contender.clock.advance(Duration.ofHours(8));
        LeaseSnapshot seen = contender.store.inspect(NAME).orElseThrow();
        assertThat(Duration.between(seen.lease().owner().at(), seen.readAt())).isEqualTo(Duration.ofHours(8));
        assertThat(seen.state()).isEqualTo(LeaseSnapshot.State.HELD);
        assertThat(seen.isSilent()).isTrue();
        assertThat(seen.remaining()).isEqualTo(TTL);
    }

    /** Time that the contender's machine slept counts only by the clock that moved less. */
    @Test
    void sleepOfTheContenderDoesNotEndALease() {
        holder.granted();
        contender.assertBusy();
        contender.ticker.sleep(TTL);
        contender.assertBusy();
        contender.ticker.advance(TTL);
        contender.granted();
    }

    @Test
    void renewalStartsTheWaitAnewAlsoWhenNothingElseChanges() {
        Grant grant = holder.granted();
        contender.assertBusy();
        for (int i = 0; i < 5; i++) {
            contender.ticker.advance(TTL.dividedBy(3).multipliedBy(2));
            // The holder's clocks stand still, so the renewed record equals the one before.
            holder.renew(grant);
            contender.assertBusy();
        }
        contender.ticker.advance(TTL);
        contender.granted();
    }

    /** The holder trusts its lease for nine tenths of the ttl by its own clock, and the contender's clock may run faster. */
    @Test
    void leaseIsGrantedOnlyAfterItsHoldersTrustIfTheirClockRatesDifferByTenPercent() {
        Duration step = Duration.ofMillis(250);
        for (int percent : List.of(91, 100, 105, 110)) {
            Grant grant = holder.granted();
            contender.assertBusy();
            Duration passed = Duration.ZERO;
            Acquisition answer = contender.acquire();
            while (!(answer instanceof Acquisition.Granted)) {
                passed = passed.plus(step);
                holder.ticker.advance(step);
                contender.ticker.advance(step.multipliedBy(percent).dividedBy(100));
                answer = contender.acquire();
            }
            Grant next = ((Acquisition.Granted) answer).grant();
            assertThat(next.token()).isEqualTo(grant.token().next());
            assertThat(passed)
                    .as("contender at %d %%", percent)
                    .isBetween(
                            TTL.multipliedBy(9).dividedBy(10),
                            TTL.multipliedBy(12).dividedBy(10));
            contender.store.release(next, Duration.ZERO);
        }
    }

    @Test
    void holderThatIsSlowLosesItsLeaseByItsOwnClock() {
        Grant grant = holder.granted();
        holder.ticker.advance(TTL);
        assertThat(holder.store.renew(List.of(new RenewRequest(grant, TTL))).get(0))
                .isInstanceOf(Renewal.NotRenewed.class);
    }

    @Test
    void releasedLeaseIsGrantedWithoutAWait() {
        Grant grant = holder.granted();
        holder.store.release(grant, Duration.ZERO);
        contender.clock.advance(Duration.ofDays(-365));
        assertThat(contender.granted().token()).isEqualTo(grant.token().next());
    }

    @Test
    void minimumHoldIsObservedAsWell() {
        Grant grant = holder.granted();
        holder.ticker.advance(Duration.ofSeconds(10));
        holder.store.release(grant, Duration.ofSeconds(40));
        contender.assertBusy();
        contender.ticker.advance(Duration.ofSeconds(30).minus(MOMENT));
        contender.assertBusy();
        contender.ticker.advance(MOMENT);
        contender.granted();
    }

    @Test
    void nameIsForgottenOnlyAfterTheSameWait() {
        Grant grant = holder.granted();
        contender.clock.advance(Duration.ofDays(365));
        assertThat(forgetByContender(grant)).isEqualTo(Forgetting.KEPT);
        contender.ticker.advance(TTL);
        assertThat(forgetByContender(grant)).isEqualTo(Forgetting.FORGOTTEN);
    }

    private Forgetting forgetByContender(Grant grant) {
        return contender
                .store
                .forget(List.of(new ForgetRequest(NAME, grant.token())))
                .get(0);
    }

    @Test
    void timeOfARecordNeverRunsBackwards() {
        Instant before = Instant.MIN;
        for (int i = 0; i < 4; i++) {
            Grant grant = holder.granted();
            before = assertNotBefore(before);
            contender.clock.advance(Duration.ofDays(-1));
            holder.ticker.advance(Duration.ofSeconds(30));
            holder.renew(grant);
            before = assertNotBefore(before);
            holder.clock.advance(Duration.ofHours(i % 2 == 0 ? 5 : -5));
            holder.store.release(grant, Duration.ZERO);
            before = assertNotBefore(before);
        }
    }

    private Instant assertNotBefore(Instant before) {
        Instant at = contender.store.inspect(NAME).orElseThrow().at();
        assertThat(at).isAfterOrEqualTo(before);
        return at;
    }

    @Test
    void peopleFindTheTimeOfTheHostInTheHistory() {
        Grant grant = holder.granted();
        holder.store.release(grant, Duration.ZERO);
        contender.clock.advance(Duration.ofDays(7));
        contender.granted();
        assertThat(contender.store.history(NAME, 1).get(0).at()).isEqualTo(contender.clock.instant());
        contender.clock.advance(Duration.ofDays(7));
        Intervention move = Intervention.takeover(
                NAME, AttemptId.of("operator"), Holder.of("operator"), TTL, Note.of("the machine burnt"));
        contender.store.intervene(move);
        assertThat(contender.store.history(NAME, 1).get(0).at()).isEqualTo(contender.clock.instant());
        contender.clock.advance(Duration.ofDays(7));
        assertThat(contender.store.intervene(move)).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void stepOnAKnownRecordTakesOneRoundTrip() {
        holder.store.release(holder.granted(), Duration.ZERO);
        int before = holder.register.calls();
        for (int i = 0; i < 10; i++) {
            Grant grant = holder.granted();
            holder.renew(grant);
            assertThat(holder.store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        }
        assertThat(holder.register.calls() - before).isEqualTo(30);
    }

    @Test
    void aPageOfAListTakesOneRoundTrip() {
        holder.holdOthers(20);
        contender.store.list("other-", "", 10);
        int before = contender.register.calls();
        assertThat(contender.store.list("other-", "other-1", 10)).hasSize(10);
        assertThat(contender.register.calls() - before).isEqualTo(1);
    }

    @Test
    void leaseThatAListSawUnchangedForItsTermIsOver() {
        Grant grant = holder.granted();
        assertThat(stateInList()).isEqualTo(LeaseSnapshot.State.HELD);
        contender.ticker.advance(TTL.minus(MOMENT));
        assertThat(stateInList()).isEqualTo(LeaseSnapshot.State.HELD);
        holder.renew(grant);
        contender.ticker.advance(MOMENT);
        assertThat(stateInList()).isEqualTo(LeaseSnapshot.State.HELD);
        contender.ticker.advance(TTL);
        assertThat(stateInList()).isEqualTo(LeaseSnapshot.State.EXPIRED);
        assertThat(contender.granted().token()).isEqualTo(grant.token().next());
    }

    private LeaseSnapshot.State stateInList() {
        return contender.store.list(NAME.value(), "", 10).get(0).state();
    }

    @Test
    void outdatedKnowledgeIsCorrectedByTheStore() {
        holder.store.release(holder.granted(), Duration.ZERO);
        Grant other = contender.granted();
        holder.assertBusy();
        contender.store.release(other, Duration.ZERO);
        assertThat(holder.granted().token()).isEqualTo(other.token().next());
    }

    /** A thread judges by a version that another thread has replaced since: its observation must not begin anew. */
    @Test
    void versionThatWasReplacedKeepsItsObservation() {
        Observations observations = new Observations(contender.ticker, contender.clock);
        observations.unchanged("record", "1");
        contender.ticker.advance(TTL);
        observations.begin("record", "2");
        assertThat(observations.unchanged("record", "1")).isEqualTo(TTL);
        contender.ticker.advance(MOMENT);
        assertThat(observations.unchanged("record", "2")).isEqualTo(MOMENT);
        assertThat(observations.isLatest("record", "2")).isTrue();
        assertThat(observations.isLatest("record", "1")).isFalse();
    }
}
