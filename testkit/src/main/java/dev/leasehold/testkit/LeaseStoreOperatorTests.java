package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.Intervention;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Takeover, cancel and repair. They ignore the deadline; all other rules hold. Part of
 * {@link LeaseStoreContract}.
 */
abstract class LeaseStoreOperatorTests extends StoreFixture {
    LeaseStoreOperatorTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void takeoverSupersedesALiveHolder() {
        LeaseName name = name("takeover");
        Grant holder = grantLong(name, ALICE);
        Acquisition.Granted taken = granted(store.intervene(takeover(name, attempt())));
        assertThat(taken.grant().token()).isEqualTo(holder.token().next());
        assertThat(taken.transfer().reason()).isEqualTo(TransferReason.TAKEOVER);
        assertThat(taken.transfer().note()).isEqualTo(REASON);
        assertThat(taken.transfer().holder()).isEqualTo(BOB);
        assertNearly(taken.remaining(), LONG);
        Loss loss = lossOf(renew(holder, LONG));
        assertSupersededBy(loss, taken.grant());
        assertThat(((Loss.Superseded) loss).by().note()).isEqualTo(REASON);
        assertSupersededBy(lossOf(store.release(holder, Duration.ZERO)), taken.grant());
        assertTaken(name, taken.grant());
        assertThat(renew(taken.grant(), LONG)).isInstanceOf(Renewal.Renewed.class);
        assertThat(store.release(taken.grant(), Duration.ZERO)).isInstanceOf(Release.Released.class);
        assertFree(name, taken.grant());
    }

    @Test
    void takeoverOfAFreeNameSucceeds() throws InterruptedException {
        Grant first = granted(store.intervene(takeover(name("takeover-new"), attempt())))
                .grant();
        assertThat(first.token().value()).isEqualTo(firstToken());
        assertTaken(first.name(), first);
        Grant lapsed = lapsedGrant(name("takeover-lapsed"));
        Grant next =
                granted(store.intervene(takeover(lapsed.name(), attempt()))).grant();
        assertThat(next.token()).isEqualTo(lapsed.token().next());
        assertTaken(next.name(), next);
    }

    @Test
    void retriedTakeoverDoesNotRaiseTwice() {
        LeaseName name = name("takeover-retry");
        grantLong(name, ALICE);
        Intervention move = takeover(name, attempt());
        Grant first = granted(store.intervene(move)).grant();
        assertThat(granted(store.intervene(move)).grant()).isEqualTo(first);
        assertThat(record(name).token()).isEqualTo(first.token());
        assertThat(store.history(name, 10)).hasSize(2);
    }

    @Test
    void expiredTakeoverIsSpent() throws InterruptedException {
        LeaseName name = name("takeover-spent");
        Intervention move = Intervention.takeover(name, attempt(), BOB, shortTtl(), REASON);
        Grant first = granted(store.intervene(move)).grant();
        passShortTtl();
        assertThat(store.intervene(move)).isInstanceOf(Acquisition.Spent.class);
        assertThat(record(name).token()).isEqualTo(first.token());
    }

    @Test
    void takeoverOfTheExpectedTokenSucceeds() {
        LeaseName name = name("takeover-seen");
        Grant holder = grantLong(name, ALICE);
        Acquisition.Granted taken =
                granted(store.intervene(takeover(name, attempt()).ifTokenIs(holder.token())));
        assertThat(taken.grant().token()).isEqualTo(holder.token().next());
        assertThat(taken.transfer().reason()).isEqualTo(TransferReason.TAKEOVER);
        assertSupersededBy(lossOf(renew(holder, LONG)), taken.grant());
        assertThat(renew(taken.grant(), LONG)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void takeoverOfAnOldTokenDoesNotAffectTheSuccessor() {
        LeaseName name = name("takeover-late");
        Grant seen = grantLong(name, ALICE);
        store.release(seen, Duration.ZERO);
        Grant successor = grantLong(name, ALICE);
        assertMoved(takeover(name, attempt()).ifTokenIs(seen.token()), successor);
        assertMoved(cancel(name, attempt()).ifTokenIs(seen.token()), successor);
        assertThat(renew(successor, LONG)).isInstanceOf(Renewal.Renewed.class);
        // The token decides, not whether the name is free.
        store.release(successor, Duration.ZERO);
        assertMoved(takeover(name, attempt()).ifTokenIs(seen.token()), successor);
        assertMoved(takeover(name, attempt()).ifTokenIs(successor.token().next()), successor);
        assertFree(name, successor);
    }

    @Test
    void takeoverOfAnExpectedTokenDoesNotCreateTheName() {
        LeaseName name = name("takeover-unknown");
        Intervention move = takeover(name, attempt()).ifTokenIs(FencingToken.of(1));
        assertThat(store.intervene(move)).isEqualTo(new Acquisition.Moved(null));
        assertThat(store.inspect(name)).isEmpty();
    }

    /** However the grant ended, and however often and late a copy of the call arrives. */
    @Test
    void attemptOfATakeoverIsNeverGrantedASecondToken() {
        LeaseName name = name("takeover-once");
        Intervention move =
                takeover(name, attempt()).ifTokenIs(grantLong(name, ALICE).token());
        Grant only = granted(store.intervene(move)).grant();
        assertThat(granted(store.intervene(move)).grant()).isEqualTo(only);
        store.release(only, Duration.ZERO);
        assertThat(store.intervene(move)).isInstanceOf(Acquisition.Spent.class);
        Grant next = grantLong(name, ALICE);
        assertMoved(move, next);
        store.release(next, Duration.ZERO);
        assertMoved(move, next);
        assertMoved(move, granted(store.intervene(cancel(name, attempt()))).grant());
        assertThat(store.history(name, 10))
                .filteredOn(transfer -> transfer.attempt().equals(move.attempt()))
                .hasSize(1);
    }

    @Test
    void retriedCancelOfATokenDoesNotRaiseTwice() {
        LeaseName name = name("cancel-seen");
        Intervention move =
                cancel(name, attempt()).ifTokenIs(grantLong(name, ALICE).token());
        Grant first = granted(store.intervene(move)).grant();
        assertThat(granted(store.intervene(move)).grant()).isEqualTo(first);
        assertFree(name, first);
    }

    @Test
    void expectedTokensAreComparedExactly() {
        LeaseName name = name("takeover-far");
        // Beyond 2^53 neighbouring numbers are the same floating-point number.
        Grant far = granted(store.intervene(repair(name, attempt(), 1L << 60))).grant();
        assertMoved(takeover(name, attempt()).ifTokenIs(far.token().next()), far);
        Grant taken = granted(store.intervene(takeover(name, attempt()).ifTokenIs(far.token())))
                .grant();
        assertThat(taken.token()).isEqualTo(far.token().next());
    }

    /** The answer names the current owner, and nothing changes. */
    private void assertMoved(Intervention move, Grant current) {
        LeaseRecord before = record(move.name());
        int transfers = store.history(move.name(), 10).size();
        Acquisition answer = store.intervene(move);
        assertThat(answer).isInstanceOf(Acquisition.Moved.class);
        assertThat(((Acquisition.Moved) answer).current()).isEqualTo(before.owner());
        assertThat(before.token()).isEqualTo(current.token());
        assertThat(record(move.name())).isEqualTo(before);
        assertThat(store.history(move.name(), 10)).hasSize(transfers);
    }

    @Test
    void cancelLeavesTheNameFreeAndFencesTheHolder() {
        LeaseName name = name("cancel");
        Grant holder = grantLong(name, ALICE);
        Acquisition.Granted cancelled = granted(store.intervene(cancel(name, attempt())));
        assertThat(cancelled.grant().token()).isEqualTo(holder.token().next());
        assertThat(cancelled.transfer().reason()).isEqualTo(TransferReason.CANCELLED);
        assertSupersededBy(lossOf(renew(holder, LONG)), cancelled.grant());
        assertThat(lossOf(renew(cancelled.grant(), LONG)))
                .as("a cancel leaves nothing to renew")
                .isInstanceOf(Loss.class);
        assertThat(snapshot(name).isFree()).isTrue();
        assertFree(name, cancelled.grant());
    }

    @Test
    void retriedCancelDoesNotRaiseTwice() {
        LeaseName name = name("cancel-retry");
        grantLong(name, ALICE);
        Intervention move = cancel(name, attempt());
        Grant first = granted(store.intervene(move)).grant();
        LeaseRecord before = record(name);
        Acquisition.Granted again = granted(store.intervene(move));
        assertThat(again.grant()).isEqualTo(first);
        assertThat(again.remaining()).as("a free name has no time left").isLessThanOrEqualTo(Duration.ZERO);
        assertThat(record(name)).isEqualTo(before);
    }

    @Test
    void cancelFreesANameThatMinHoldKeepsTaken() {
        LeaseName name = name("cancel-resting");
        store.release(grantLong(name, ALICE), LONG);
        assertFree(name, granted(store.intervene(cancel(name, attempt()))).grant());
    }

    @Test
    void cancelledAttemptCannotBeUsedToAcquire() {
        LeaseName name = name("cancel-reuse");
        grantLong(name, ALICE);
        AttemptId attempt = attempt();
        granted(store.intervene(cancel(name, attempt)));
        assertThat(store.acquire(name, attempt, BOB, LONG)).isInstanceOf(Acquisition.Spent.class);
    }

    @Test
    void repairNeverLowersTheToken() {
        LeaseName name = name("repair");
        Grant holder = grantLong(name, ALICE);
        Acquisition.Granted repaired = granted(store.intervene(repair(name, attempt(), firstToken() + 1000)));
        assertThat(repaired.grant().token().value()).isEqualTo(firstToken() + 1001);
        assertThat(repaired.transfer().reason()).isEqualTo(TransferReason.RECOVERED);
        assertThat(repaired.transfer().note()).isEqualTo(REASON);
        assertSupersededBy(lossOf(renew(holder, LONG)), repaired.grant());
        Grant again = granted(store.intervene(repair(name, attempt(), 5))).grant();
        assertThat(again.token().value())
                .as("a repair above a lower number still raises")
                .isEqualTo(firstToken() + 1002);
        assertFree(name, again);
    }

    @Test
    void retriedRepairDoesNotRaiseTwice() {
        LeaseName name = name("repair-retry");
        Intervention move = repair(name, attempt(), firstToken() + 41);
        Grant first = granted(store.intervene(move)).grant();
        assertThat(first.token().value()).isEqualTo(firstToken() + 42);
        assertThat(granted(store.intervene(move)).grant()).isEqualTo(first);
        assertThat(record(name).token()).isEqualTo(first.token());
        assertFree(name, first);
    }

    @Test
    void repairToALargeTokenIsExact() {
        LeaseName name = name("repair-far");
        // Beyond 2^53 a number that passes through floating point is rounded.
        long far = (1L << 60) + 1;
        Grant repaired = granted(store.intervene(repair(name, attempt(), far))).grant();
        assertThat(repaired.token().value()).isEqualTo(far + 1);
        Grant next = assertFree(name, repaired).grant();
        assertThat(renew(next, LONG)).isInstanceOf(Renewal.Renewed.class);
    }
}
