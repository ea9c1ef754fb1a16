package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that are lost, repeated or late. Part of {@link LeaseStoreContract}. */
abstract class LeaseStoreLostMessageTests extends StoreFixture {
    private static final Duration LATE = Duration.ofSeconds(1);

    private final ManualTimers network = new ManualTimers();
    private FaultyLeaseStore faulty;

    LeaseStoreLostMessageTests(StoreContract contract) {
        super(contract);
    }

    @BeforeEach
    void addAFaultyNetwork() {
        faulty = new FaultyLeaseStore(store, network);
    }

    @Test
    void lostReplyDoesNotLockOutItsSender() {
        LeaseName name = name("lost-reply");
        AttemptId attempt = attempt();
        faulty.dropReplyOnce(StoreOperation.ACQUIRE);
        assertUnanswered(() -> faulty.acquire(name, attempt, ALICE, LONG));
        assertThat(store.acquire(name, attempt(), BOB, LONG)).isInstanceOf(Acquisition.Busy.class);
        Grant found = granted(faulty.acquire(name, attempt, ALICE, LONG)).grant();
        assertThat(found.token().value()).isEqualTo(firstToken());
        assertThat(store.history(name, 10)).hasSize(1);
        assertThat(renew(found, LONG)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void lostRequestGrantsNothing() {
        LeaseName name = name("lost-request");
        AttemptId attempt = attempt();
        faulty.dropRequestOnce(StoreOperation.ACQUIRE);
        assertUnanswered(() -> faulty.acquire(name, attempt, ALICE, LONG));
        assertThat(store.inspect(name)).isEmpty();
        assertThat(granted(faulty.acquire(name, attempt, ALICE, LONG)).grant().attempt())
                .isEqualTo(attempt);
    }

    @Test
    void grantWhoseReplyWasLostIsSpentAfterItsTtl() throws InterruptedException {
        LeaseName name = name("lost-expired");
        AttemptId attempt = attempt();
        faulty.dropReplyOnce(StoreOperation.ACQUIRE);
        assertUnanswered(() -> faulty.acquire(name, attempt, ALICE, shortTtl()));
        passShortTtl();
        assertThat(faulty.acquire(name, attempt, ALICE, LONG))
                .as("the earlier grant has expired, and the answer must not look like a new one")
                .isInstanceOf(Acquisition.Spent.class);
        assertThat(granted(faulty.acquire(name, attempt(), ALICE, LONG))
                        .grant()
                        .token()
                        .value())
                .as("with a new attempt the sender gets the lease like any other client")
                .isEqualTo(firstToken() + 1);
    }

    @Test
    void senderThatGivesUpLeavesTheNameFree() {
        LeaseName name = name("give-up");
        AttemptId attempt = attempt();
        faulty.dropReplyOnce(StoreOperation.ACQUIRE);
        assertUnanswered(() -> faulty.acquire(name, attempt, ALICE, LONG));
        faulty.dropReplyOnce(StoreOperation.ABANDON);
        assertUnanswered(() -> faulty.abandon(name, attempt));
        assertThat(granted(store.acquire(name, attempt(), BOB, LONG))
                        .grant()
                        .token()
                        .value())
                .isEqualTo(firstToken() + 1);
    }

    @Test
    void releaseWhoseReplyWasLostCanBeRepeated() {
        LeaseName name = name("lost-release");
        Grant grant = grantLong(name, ALICE);
        faulty.dropReplyOnce(StoreOperation.RELEASE);
        assertUnanswered(() -> faulty.release(grant, Duration.ZERO));
        assertThat(faulty.release(grant, Duration.ZERO)).isInstanceOf(Release.AlreadyReleased.class);
        assertFree(name, grant);
    }

    @Test
    void renewalWhoseReplyWasLostCanBeRepeated() {
        LeaseName name = name("lost-renewal");
        Grant grant = grantLong(name, ALICE);
        RenewRequest longer = new RenewRequest(grant, LONG.multipliedBy(2));
        faulty.dropReplyOnce(StoreOperation.RENEW);
        assertUnanswered(() -> faulty.renew(List.of(longer)));
        assertThat(snapshot(name).remaining()).as("the store did renew").isGreaterThan(LONG);
        assertThat(faulty.renew(List.of(longer)).get(0)).isInstanceOf(Renewal.Renewed.class);
        assertThat(record(name).token()).isEqualTo(grant.token());
    }

    @Test
    void takeoverWhoseReplyWasLostDoesNotRaiseTwice() {
        LeaseName name = name("lost-takeover");
        Grant holder = grantLong(name, ALICE);
        Intervention move = takeover(name, attempt());
        faulty.dropReplyOnce(StoreOperation.INTERVENE);
        assertUnanswered(() -> faulty.intervene(move));
        assertThat(granted(faulty.intervene(move)).grant().token())
                .isEqualTo(holder.token().next());
    }

    @Test
    void duplicatedMessagesTakeEffectOnce() {
        LeaseName name = name("duplicate");
        faulty.duplicateNext(StoreOperation.ACQUIRE);
        Grant first = granted(faulty.acquire(name, attempt(), ALICE, LONG)).grant();
        faulty.duplicateNext(StoreOperation.RENEW);
        faulty.renew(List.of(new RenewRequest(first, LONG)));
        faulty.duplicateNext(StoreOperation.PROGRESS);
        faulty.progress(first, REASON, null);
        faulty.duplicateNext(StoreOperation.INTERVENE);
        Grant second = granted(faulty.intervene(takeover(name, attempt()))).grant();
        faulty.duplicateNext(StoreOperation.RELEASE);
        assertThat(faulty.release(second, Duration.ZERO)).isInstanceOf(Release.Released.class);
        assertThat(faulty.faultsWaiting()).isZero();
        assertFree(name, second);
        assertThat(store.history(name, 10)).hasSize(3);
    }

    @Test
    void lateCopyOfAReleaseDoesNotFreeTheSuccessor() {
        LeaseName name = name("late-copy-release");
        Grant first = grantLong(name, ALICE);
        faulty.duplicateNextAfter(LATE, StoreOperation.RELEASE);
        faulty.release(first, Duration.ZERO);
        assertLateCopyChangesNothing(assertFree(name, first).grant());
    }

    @Test
    void lateCopyOfARenewalDoesNotExtendTheLeaseOfTheSuccessor() {
        LeaseName name = name("late-copy-renewal");
        Grant first = grantLong(name, ALICE);
        faulty.duplicateNextAfter(LATE, StoreOperation.RENEW);
        faulty.renew(List.of(new RenewRequest(first, LONG.multipliedBy(9))));
        store.release(first, Duration.ZERO);
        assertLateCopyChangesNothing(assertFree(name, first).grant());
    }

    @Test
    void lateCopyOfAnAcquireDoesNotReplaceTheSuccessor() {
        LeaseName name = name("late-copy-acquire");
        faulty.duplicateNextAfter(LATE, StoreOperation.ACQUIRE);
        Grant first = granted(faulty.acquire(name, attempt(), ALICE, LONG)).grant();
        store.release(first, Duration.ZERO);
        assertLateCopyChangesNothing(assertFree(name, first).grant());
    }

    private void assertLateCopyChangesNothing(Grant successor) {
        LeaseRecord before = record(successor.name());
        assertThat(network.pending()).as("copies under way").isEqualTo(1);
        network.advance(LATE);
        assertThat(network.pending()).isZero();
        assertThat(network.failures()).isEmpty();
        assertThat(record(successor.name())).isEqualTo(before);
        assertTaken(successor.name(), successor);
    }

    private static void assertUnanswered(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
    }
}
