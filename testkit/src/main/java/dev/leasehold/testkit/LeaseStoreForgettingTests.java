package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Forgotten names, and the one floor under all their tokens. Part of {@link LeaseStoreContract}.
 */
abstract class LeaseStoreForgettingTests extends StoreFixture {
    private static final int RACERS = 6;
    private static final int CLIENTS = 3;
    private static final int MAX_STEPS = 200;
    private static final int MIN_STEPS = 20;
    private static final long NANOS = 1_500_000_000L;

    LeaseStoreForgettingTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void tokenOfAForgottenNameIsNeverIssuedAgain() {
        LeaseName name = name("forget");
        Grant last = released(name);
        for (int i = 0; i < 3; i++) {
            last = released(name);
        }
        assertThat(store.progress(last, REASON, null)).isInstanceOf(ProgressReport.NotCurrent.class);
        assertThat(forget(last)).isEqualTo(Forgetting.FORGOTTEN);
        assertThat(store.floor()).isGreaterThanOrEqualTo(last.token().value());
        assertUnknown(name);
        Acquisition.Granted anew = granted(store.acquire(name, attempt(), BOB, LONG));
        assertThat(last.token().isBelow(anew.grant().token())).isTrue();
        assertThat(anew.transfer().reason()).isEqualTo(TransferReason.FIRST);
        assertThat(store.history(name, 10)).containsExactly(anew.transfer());
    }

    @Test
    void tokenOfAForgottenNameIsNotIssuedByAnotherClient() {
        Grant last = released(name("forget-elsewhere"));
        LeaseStore before = client();
        assertThat(before.inspect(last.name())).isPresent();
        assertThat(forget(last)).isEqualTo(Forgetting.FORGOTTEN);
        close(store);
        store = client();
        assertThat(store.floor()).isGreaterThanOrEqualTo(last.token().value());
        assertThat(before.inspect(last.name())).isEmpty();
        Grant anew = granted(before.acquire(last.name(), attempt(), BOB, LONG)).grant();
        assertThat(last.token().isBelow(anew.token())).isTrue();
        assertTaken(anew.name(), anew);
    }

    @Test
    void newNamesStartAboveTheHighestForgottenToken() {
        LeaseName high = name("forget-high");
        Grant lifted = granted(store.intervene(repair(high, attempt(), store.floor() + 10)))
                .grant();
        assertThat(forget(lifted)).isEqualTo(Forgetting.FORGOTTEN);
        assertThat(store.floor()).isEqualTo(lifted.token().value());
        assertThat(grantLong(name("forget-new"), ALICE).token())
                .isEqualTo(lifted.token().next());
        Grant low = released(name("forget-low"));
        assertThat(granted(store.intervene(takeover(name("forget-taken"), attempt())))
                        .grant()
                        .token())
                .isEqualTo(low.token());
    }

    @Test
    void nameThatIsTakenIsNotForgotten() throws InterruptedException {
        Grant held = grantLong(name("forget-held"), ALICE);
        assertKept(held, held.token());
        Grant resting = grantLong(name("forget-resting"), ALICE);
        store.release(resting, LONG);
        assertKept(resting, resting.token());
        Grant lapsed = lapsedGrant(name("forget-lapsed"));
        assertThat(forget(lapsed)).isEqualTo(Forgetting.FORGOTTEN);
    }

    @Test
    void nameThatWasGrantedSinceItWasSeenIsNotForgotten() {
        LeaseName name = name("forget-late");
        Grant seen = released(name);
        Grant next = released(name);
        assertKept(next, seen.token());
        assertKept(next, next.token().next());
        assertThat(forget(next)).isEqualTo(Forgetting.FORGOTTEN);
        Grant anew = released(name);
        assertKept(anew, next.token());
    }

    /** Otherwise an operator who lifted one counter very far would use up the tokens of every new name. */
    @Test
    void nameWithAVeryHighTokenIsNotForgotten() {
        LeaseName name = name("forget-far");
        Grant far = granted(store.intervene(repair(name, attempt(), LeaseStore.MAX_FLOOR)))
                .grant();
        long floor = store.floor();
        assertKept(far, far.token());
        assertThat(store.floor()).isEqualTo(floor);
    }

    @Test
    void unknownNameIsNotForgottenAndNotCreated() {
        LeaseName name = name("forget-unknown");
        long floor = store.floor();
        assertThat(store.forget(List.of(new ForgetRequest(name, FencingToken.of(floor + 7)))))
                .containsExactly(Forgetting.ABSENT);
        assertThat(store.floor()).isEqualTo(floor);
        assertUnknown(name);
        assertThat(store.forget(List.of())).isEmpty();
    }

    @Test
    void everyNameOfACallHasItsOwnAnswer() {
        Grant free = released(name("forget-a"));
        Grant held = grantLong(name("forget-b"), ALICE);
        Grant lower = released(LeaseName.of(name("forget-C") + "/.."));
        List<ForgetRequest> requests = List.of(
                new ForgetRequest(name("forget-nothing"), FencingToken.of(1)),
                new ForgetRequest(held.name(), held.token()),
                new ForgetRequest(lower.name(), lower.token()),
                new ForgetRequest(free.name(), free.token()));
        assertThat(store.forget(requests))
                .containsExactly(Forgetting.ABSENT, Forgetting.KEPT, Forgetting.FORGOTTEN, Forgetting.FORGOTTEN);
        assertThat(store.forget(requests))
                .containsExactly(Forgetting.ABSENT, Forgetting.KEPT, Forgetting.ABSENT, Forgetting.ABSENT);
        assertTaken(held.name(), held);
    }

    @Test
    void staleHolderOfAForgottenNameChangesNothing() throws InterruptedException {
        LeaseName name = name("forget-zombie");
        Grant zombie = lapsedGrant(name);
        assertThat(forget(zombie)).isEqualTo(Forgetting.FORGOTTEN);
        assertThat(lossOf(renew(zombie, LONG))).isInstanceOf(Loss.Lapsed.class);
        assertThat(lossOf(store.release(zombie, Duration.ZERO))).isInstanceOf(Loss.Lapsed.class);
        assertThat(store.progress(zombie, REASON, null)).isInstanceOf(ProgressReport.NotCurrent.class);
        store.abandon(name, attemptOf(zombie));
        assertThat(store.intervene(takeover(name, attempt()).ifTokenIs(zombie.token())))
                .isEqualTo(new Acquisition.Moved(null));
        assertUnknown(name);
        Grant successor = grantLong(name, BOB);
        LeaseRecord before = record(name);
        assertSupersededBy(lossOf(renew(zombie, LONG)), successor);
        assertSupersededBy(lossOf(store.release(zombie, Duration.ZERO)), successor);
        store.abandon(name, attemptOf(zombie));
        assertThat(store.intervene(takeover(name, attempt()).ifTokenIs(zombie.token())))
                .isInstanceOf(Acquisition.Moved.class);
        assertThat(record(name)).isEqualTo(before);
        assertTaken(name, successor);
    }

    /** The token was never issued, so the store has lost records. The floor must not hide that. */
    @Test
    void grantAboveTheFloorIsReportedAsLost() {
        LeaseName name = name("forget-lost");
        Grant invented = new Grant(name, FencingToken.of(store.floor() + 1), attempt(), store.id());
        assertThat(lossOf(renew(invented, LONG))).isInstanceOf(Loss.Forgotten.class);
        assertThat(lossOf(store.release(invented, LONG))).isInstanceOf(Loss.Forgotten.class);
    }

    @Test
    void repairOfAForgottenNameStaysAboveTheFloor() {
        Grant last = released(name("forget-repair"));
        assertThat(forget(last)).isEqualTo(Forgetting.FORGOTTEN);
        long floor = store.floor();
        Grant repaired =
                granted(store.intervene(repair(last.name(), attempt(), 0))).grant();
        assertThat(repaired.token().value()).isEqualTo(floor + 1);
        Grant lifted = granted(store.intervene(repair(name("forget-repair-far"), attempt(), floor + 100)))
                .grant();
        assertThat(lifted.token().value()).isEqualTo(floor + 101);
        assertThat(store.floor()).as("a repair lifts one name").isEqualTo(floor);
    }

    @Test
    void forgettingWhoseReplyWasLostCanBeRepeated() {
        FaultyLeaseStore faulty = new FaultyLeaseStore(store, new ManualTimers());
        Grant last = released(name("forget-reply"));
        List<ForgetRequest> request = List.of(new ForgetRequest(last.name(), last.token()));
        faulty.dropReplyOnce(StoreOperation.FORGET);
        assertThatThrownBy(() -> faulty.forget(request)).isInstanceOf(StoreUnavailableException.class);
        assertThat(faulty.forget(request)).containsExactly(Forgetting.ABSENT);
        Grant anew = grantLong(last.name(), BOB);
        assertThat(faulty.forget(request)).as("a late copy").containsExactly(Forgetting.KEPT);
        assertTaken(last.name(), anew);
    }

    /** Every client acquires, releases and forgets the same names. Nobody gets a token that anybody had before. */
    @Test
    void tokensOfForgottenNamesAreUniqueUnderARace() throws Exception {
        List<LeaseName> names = List.of(name("forget-race-a"), name("forget-race-b"));
        List<LeaseStore> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client());
        }
        long end = System.nanoTime() + NANOS;
        List<List<Grant>> grants;
        try (Racers racers = new Racers(RACERS)) {
            grants = racers.race(number -> acquireAndForget(number, clients.get(number % CLIENTS), names, end));
        }
        Set<String> seen = new HashSet<>();
        int total = 0;
        for (List<Grant> ofOne : grants) {
            for (Grant grant : ofOne) {
                total++;
                seen.add(grant.name() + " " + grant.token());
            }
        }
        assertThat(seen).as("tokens that were granted").hasSize(total);
        for (LeaseName name : names) {
            for (List<Grant> ofOne : grants) {
                assertThat(ofOne.stream().filter(grant -> grant.name().equals(name)))
                        .as("a later grant has a higher token")
                        .isSortedAccordingTo((a, b) -> a.token().compareTo(b.token()));
            }
        }
    }

    private List<Grant> acquireAndForget(int number, LeaseStore client, List<LeaseName> names, long end) {
        Random random = new Random(number);
        List<Grant> granted = new ArrayList<>();
        for (int step = 0; step < MAX_STEPS && (step < MIN_STEPS || System.nanoTime() < end); step++) {
            LeaseName name = names.get(random.nextInt(names.size()));
            Acquisition answer = random.nextInt(8) == 0
                    ? client.intervene(takeover(name, attempt()))
                    : client.acquire(name, attempt(), ALICE, LONG);
            if (answer instanceof Acquisition.Granted now) {
                granted.add(now.grant());
                client.progress(now.grant(), Note.of("step " + step), null);
                client.release(now.grant(), Duration.ZERO);
            }
            client.inspect(name)
                    .ifPresent(seen -> client.forget(
                            List.of(new ForgetRequest(name, seen.lease().token()))));
        }
        return granted;
    }

    private Grant released(LeaseName name) {
        Grant grant = grantLong(name, ALICE);
        store.release(grant, Duration.ZERO);
        return grant;
    }

    private Forgetting forget(Grant grant) {
        List<Forgetting> answers = store.forget(List.of(new ForgetRequest(grant.name(), grant.token())));
        assertThat(answers).as("one answer to one request").hasSize(1);
        return answers.get(0);
    }

    /** A request to forget the name at this token changes nothing. */
    private void assertKept(Grant current, FencingToken asked) {
        LeaseRecord before = record(current.name());
        assertThat(store.forget(List.of(new ForgetRequest(current.name(), asked))))
                .containsExactly(Forgetting.KEPT);
        assertThat(record(current.name())).isEqualTo(before);
        assertThat(before.token()).isEqualTo(current.token());
    }

    private void assertUnknown(LeaseName name) {
        assertThat(store.inspect(name)).isEmpty();
        assertThat(store.history(name, 10)).isEmpty();
        assertThat(store.list(name.value(), "", 10)).isEmpty();
        assertThat(store.names(name.value(), "", 10)).isEmpty();
    }
}
