package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Acquiring, renewing and releasing a lease. Part of {@link LeaseStoreContract}. */
abstract class LeaseStoreHoldingTests extends StoreFixture {
    LeaseStoreHoldingTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void grantContainsNameAttemptAndStore() {
        LeaseName name = name("proof");
        AttemptId attempt = attempt();
        Acquisition.Granted first = granted(store.acquire(name, attempt, ALICE, LONG));
        assertThat(first.grant().name()).isEqualTo(name);
        assertThat(first.grant().attempt()).isEqualTo(attempt);
        assertThat(first.grant().store()).isEqualTo(store.id());
        assertThat(first.grant().token().value()).isEqualTo(firstToken());
        assertThat(first.transfer().reason()).isEqualTo(TransferReason.FIRST);
        assertThat(first.transfer().holder()).isEqualTo(ALICE);
        assertNearly(first.remaining(), LONG);
    }

    @Test
    void busyAnswerNamesHolderTokenAndRemainingTime() {
        LeaseName name = name("taken");
        Grant grant = grantLong(name, ALICE);
        Acquisition answer = store.acquire(name, attempt(), BOB, LONG);
        assertThat(answer).isInstanceOf(Acquisition.Busy.class);
        Acquisition.Busy busy = (Acquisition.Busy) answer;
        assertThat(busy.token()).isEqualTo(grant.token());
        assertThat(busy.holder()).isEqualTo(ALICE);
        assertThat(busy.remaining()).isPositive().isLessThanOrEqualTo(LONG);
    }

    @Test
    void sameHolderRestartingGetsANewToken() {
        LeaseName name = name("restart");
        Grant before = grantLong(name, ALICE);
        assertThat(store.acquire(name, attempt(), ALICE, LONG))
                .as("a restarted process is a new owner and waits for the old one")
                .isInstanceOf(Acquisition.Busy.class);
        assertThat(store.release(before, Duration.ZERO)).isInstanceOf(Release.Released.class);
        assertThat(grantLong(name, ALICE).token()).isEqualTo(before.token().next());
    }

    @Test
    void tokenSurvivesExpiry() throws InterruptedException {
        LeaseName name = name("expiry");
        Grant before = lapsedGrant(name);
        assertThat(assertFree(name, before).transfer().reason()).isEqualTo(TransferReason.EXPIRED);
    }

    @Test
    void tokenSurvivesRelease() {
        LeaseName name = name("release");
        for (int i = 1; i <= 5; i++) {
            Acquisition.Granted next = granted(store.acquire(name, attempt(), ALICE, LONG));
            assertThat(next.grant().token().value()).isEqualTo(firstToken() + i - 1);
            assertThat(next.transfer().reason()).isEqualTo(i == 1 ? TransferReason.FIRST : TransferReason.RELEASED);
            assertThat(store.release(next.grant(), Duration.ZERO)).isInstanceOf(Release.Released.class);
        }
    }

    @Test
    void zombieCannotReleaseTheLeaseOfItsSuccessor() throws InterruptedException {
        LeaseName name = name("zombie-release");
        Grant zombie = lapsedGrant(name);
        Grant successor = assertFree(name, zombie).grant();
        LeaseRecord before = record(name);
        assertSupersededBy(lossOf(store.release(zombie, Duration.ZERO)), successor);
        assertThat(record(name)).isEqualTo(before);
        assertTaken(name, successor);
    }

    @Test
    void zombieCannotRenewTheLeaseOfItsSuccessor() throws InterruptedException {
        LeaseName name = name("zombie-renew");
        Grant zombie = lapsedGrant(name);
        Grant successor = assertFree(name, zombie).grant();
        LeaseRecord before = record(name);
        assertSupersededBy(lossOf(renew(zombie, LONG.multipliedBy(2))), successor);
        assertThat(record(name)).isEqualTo(before);
    }

    @Test
    void zombieWithoutASuccessorCannotRenew() throws InterruptedException {
        LeaseName name = name("lapsed");
        Grant zombie = lapsedGrant(name);
        assertThat(lossOf(renew(zombie, LONG))).isInstanceOf(Loss.Lapsed.class);
        assertFree(name, zombie);
    }

    @Test
    void releaseAfterExpiryLeavesTheNameFree() throws InterruptedException {
        LeaseName name = name("late-release");
        Grant late = lapsedGrant(name);
        assertThat(store.release(late, Duration.ZERO)).isNotInstanceOf(Release.AlreadyReleased.class);
        assertFree(name, late);
    }

    @Test
    void tokenFromAnotherAttemptIsNotTheOwner() {
        LeaseName name = name("twin");
        Grant owner = grantLong(name, ALICE);
        Grant twin = new Grant(name, owner.token(), attempt(), owner.store());
        LeaseRecord before = record(name);
        assertThat(lossOf(renew(twin, LONG.multipliedBy(2)))).isInstanceOf(Loss.Forgotten.class);
        assertThat(lossOf(store.release(twin, Duration.ZERO))).isInstanceOf(Loss.Forgotten.class);
        assertThat(record(name)).isEqualTo(before);
    }

    @Test
    void bareTokenOfTheOwnerIsEnough() {
        LeaseName name = name("bare");
        Grant bare = Grant.bare(name, grantLong(name, ALICE).token());
        assertThat(renew(bare, LONG)).isInstanceOf(Renewal.Renewed.class);
        assertThat(store.release(bare, Duration.ZERO)).isInstanceOf(Release.Released.class);
        assertFree(name, bare);
    }

    @Test
    void renewMovesTheDeadlineAheadAndNothingElse() {
        LeaseName name = name("renew");
        Grant grant = grantLong(name, ALICE);
        LeaseRecord before = record(name);
        Duration longer = LONG.multipliedBy(3);
        Renewal renewal = renew(grant, longer);
        assertThat(renewal).isInstanceOf(Renewal.Renewed.class);
        assertNearly(((Renewal.Renewed) renewal).remaining(), longer);
        assertThat(record(name).deadline()).isAfter(before.deadline());
        assertThat(record(name).owner()).isEqualTo(before.owner());
    }

    @Test
    void renewNeverMovesTheDeadlineBack() throws InterruptedException {
        LeaseName name = name("never-back");
        Grant grant = grantLong(name, ALICE);
        LeaseRecord before = record(name);
        Renewal renewal = renew(grant, shortTtl());
        assertThat(renewal).isInstanceOf(Renewal.Renewed.class);
        assertThat(((Renewal.Renewed) renewal).remaining()).isGreaterThan(shortTtl());
        assertThat(renew(grant, Duration.ZERO)).isInstanceOf(Renewal.Renewed.class);
        assertThat(record(name).deadline()).isEqualTo(before.deadline());
        passShortTtl();
        assertTaken(name, grant);
    }

    @Test
    void batchRenewalAnswersEachRequestSeparately() throws InterruptedException {
        Grant superseded = grantShort(name("many-superseded"), ALICE);
        Grant lapsed = grantShort(name("many-lapsed"), ALICE);
        passShortTtl();
        Grant successor = assertFree(superseded.name(), superseded).grant();
        Grant released = grantLong(name("many-released"), ALICE);
        store.release(released, Duration.ZERO);
        Grant current = grantLong(name("many-current"), ALICE);
        Grant unknown = new Grant(name("many-unknown"), current.token(), attempt(), store.id());
        Grant ahead = new Grant(current.name(), current.token().next(), attempt(), store.id());
        List<Renewal> results = store.renew(List.of(
                new RenewRequest(superseded, LONG),
                new RenewRequest(current, LONG),
                new RenewRequest(lapsed, LONG),
                new RenewRequest(released, LONG),
                new RenewRequest(unknown, LONG),
                new RenewRequest(current, LONG),
                new RenewRequest(ahead, LONG)));
        assertThat(results).hasSize(7);
        assertSupersededBy(lossOf(results.get(0)), successor);
        assertThat(results.get(1)).isInstanceOf(Renewal.Renewed.class);
        assertThat(lossOf(results.get(2))).isInstanceOf(Loss.Lapsed.class);
        assertThat(lossOf(results.get(3))).isInstanceOf(Loss.Released.class);
        assertThat(lossOf(results.get(4))).isInstanceOf(Loss.Forgotten.class);
        assertThat(results.get(5)).isInstanceOf(Renewal.Renewed.class);
        assertThat(lossOf(results.get(6))).isInstanceOf(Loss.Forgotten.class);
        assertThat(store.renew(List.of())).isEmpty();
    }

    @Test
    void secondReleaseChangesNothingAndIsReported() {
        LeaseName name = name("twice");
        Grant grant = grantLong(name, ALICE);
        assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        LeaseRecord before = record(name);
        assertThat(store.release(grant, LONG)).isInstanceOf(Release.AlreadyReleased.class);
        assertThat(record(name)).isEqualTo(before);
        assertThat(lossOf(renew(grant, LONG))).isInstanceOf(Loss.Released.class);
        Grant successor = assertFree(name, grant).grant();
        assertSupersededBy(lossOf(store.release(grant, Duration.ZERO)), successor);
        assertTaken(name, successor);
    }

    @Test
    void minHoldKeepsTheNameTakenAfterAnEarlyRelease() {
        LeaseName name = name("min-hold");
        Grant grant = grantLong(name, ALICE);
        assertThat(store.release(grant, LONG)).isInstanceOf(Release.Released.class);
        assertTaken(name, grant);
        assertThat(lossOf(renew(grant, LONG))).isInstanceOf(Loss.Released.class);
        assertThat(store.release(grant, Duration.ZERO))
                .as("a second release does not shorten the time that the first one kept")
                .isInstanceOf(Release.AlreadyReleased.class);
        assertTaken(name, grant);
        assertThat(snapshot(name).state()).isEqualTo(LeaseSnapshot.State.RESTING);
    }

    @Test
    void minHoldCountsFromTheGrantAndThenFreesTheName() throws InterruptedException {
        LeaseName name = name("min-hold-over");
        Grant grant = grantLong(name, ALICE);
        passShortTtl();
        assertThat(store.release(grant, shortTtl())).isInstanceOf(Release.Released.class);
        assertThat(assertFree(name, grant).transfer().reason()).isEqualTo(TransferReason.RELEASED);
    }

    @Test
    void equalHolderNameGivesNoAccess() {
        LeaseName name = name("impostor");
        Grant owner = granted(store.acquire(name, attempt(), ALICE, LONG)).grant();
        Acquisition answer = store.acquire(name, attempt(), Holder.of(ALICE.value()), LONG);
        assertThat(answer).isInstanceOf(Acquisition.Busy.class);
        assertThat(record(name).owner().attempt()).isEqualTo(owner.attempt());
    }

    /**
     * A holder trusts its lease from before its call until a tenth of the ttl before the deadline,
     * which is less than the time for which the store keeps it.
     */
    @Test
    void nameIsNotGrantedToAnotherWhileItsHolderTrustsIt() throws InterruptedException {
        LeaseName name = name("trust");
        Duration ttl = shortTtl().multipliedBy(2);
        long asked = System.nanoTime();
        Grant grant = granted(store.acquire(name, attempt(), ALICE, ttl)).grant();
        Duration passed = Duration.ZERO;
        Acquisition answer = store.acquire(name, attempt(), BOB, LONG);
        for (int i = 0; i < 15 && answer instanceof Acquisition.Busy; i++) {
            passTime(ttl.dividedBy(10));
            passed = passed.plus(ttl.dividedBy(10));
            answer = store.acquire(name, attempt(), BOB, LONG);
        }
        // Where time is real, more time passed than the test asked for.
        Duration real = Duration.ofNanos(System.nanoTime() - asked);
        assertThat(real.compareTo(passed) > 0 ? real : passed)
                .isGreaterThanOrEqualTo(ttl.multipliedBy(9).dividedBy(10));
        assertThat(granted(answer).grant().token()).isEqualTo(grant.token().next());
    }
}
