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
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Clients, names, grants and assertions for the tests of a store. Every test uses new names, so one
 * store serves all tests and is never emptied.
 *
 * <p>No test expects a short lease to be <em>still</em> held: on a slow machine it may have
 * expired. A lease that must be held has a long ttl.
 */
abstract class StoreFixture {
    static final Duration LONG = Duration.ofMinutes(10);
    static final Holder ALICE = Holder.of("alice");
    static final Holder BOB = Holder.of("bob");
    static final Note REASON = Note.of("because the test says so");

    private final StoreContract contract;
    private final List<LeaseStore> opened = new ArrayList<>();
    private final String unique = UUID.randomUUID().toString().replace("-", "");
    private int drawn;
    LeaseStore store;

    StoreFixture(StoreContract contract) {
        this.contract = contract;
    }

    @BeforeEach
    void openFirstClient() {
        store = client();
    }

    @AfterEach
    void closeClients() {
        opened.forEach(LeaseStore::close);
    }

    /** Opens one more client of the same store. */
    final LeaseStore client() {
        LeaseStore client = contract.openStore();
        opened.add(client);
        return client;
    }

    final void close(LeaseStore client) {
        opened.remove(client);
        client.close();
    }

    final void passTime(Duration duration) throws InterruptedException {
        contract.passTime(duration);
    }

    final Duration shortTtl() {
        return contract.shortTtl();
    }

    /** Waits until a short lease is over, with a margin for clocks that tick coarsely. */
    final void passShortTtl() throws InterruptedException {
        passTime(shortTtl().plus(shortTtl().dividedBy(3)));
    }

    final LeaseName name(String subject) {
        return LeaseName.of(subject + "-" + unique);
    }

    /** Synchronized, because racing threads call it too. */
    final synchronized AttemptId attempt() {
        return AttemptId.of("a" + drawn++ + "-" + unique);
    }

    final Grant grantLong(LeaseName name, Holder holder) {
        return granted(store.acquire(name, attempt(), holder, LONG)).grant();
    }

    final Grant grantShort(LeaseName name, Holder holder) {
        return granted(store.acquire(name, attempt(), holder, shortTtl())).grant();
    }

    /** A grant that has expired and has no successor yet. */
    final Grant lapsedGrant(LeaseName name) throws InterruptedException {
        Grant grant = grantShort(name, ALICE);
        passShortTtl();
        return grant;
    }

    final Renewal renew(Grant grant, Duration ttl) {
        List<Renewal> results = store.renew(List.of(new RenewRequest(grant, ttl)));
        assertThat(results).as("one answer to one request").hasSize(1);
        return results.get(0);
    }

    final Intervention takeover(LeaseName name, AttemptId attempt) {
        return Intervention.takeover(name, attempt, BOB, LONG, REASON);
    }

    final Intervention cancel(LeaseName name, AttemptId attempt) {
        return Intervention.cancel(name, attempt, BOB, REASON);
    }

    final Intervention repair(LeaseName name, AttemptId attempt, long above) {
        return Intervention.repair(name, attempt, BOB, above, REASON);
    }

    final LeaseSnapshot snapshot(LeaseName name) {
        return store.inspect(name).orElseThrow(() -> new AssertionError("the store has no record of " + name));
    }

    final LeaseRecord record(LeaseName name) {
        return snapshot(name).lease();
    }

    /** The token of the first grant of a new name. Other tests have forgotten names of the same store. */
    final long firstToken() {
        return store.floor() + 1;
    }

    /** Checks that another client cannot acquire the name. */
    final void assertTaken(LeaseName name, Grant by) {
        Acquisition answer = store.acquire(name, attempt(), Holder.of("intruder"), LONG);
        assertThat(answer).as("%s is taken", name).isInstanceOf(Acquisition.Busy.class);
        assertThat(((Acquisition.Busy) answer).token()).isEqualTo(by.token());
    }

    /** Checks that another client acquires the name with the next token. */
    final Acquisition.Granted assertFree(LeaseName name, Grant after) {
        Acquisition.Granted next = granted(store.acquire(name, attempt(), Holder.of("successor"), LONG));
        assertThat(next.grant().token()).isEqualTo(after.token().next());
        return next;
    }

    static AttemptId attemptOf(Grant grant) {
        return Objects.requireNonNull(grant.attempt());
    }

    static Acquisition.Granted granted(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return (Acquisition.Granted) answer;
    }

    /**
     * The remaining time must not exceed the requested ttl: otherwise a holder would trust its
     * lease too long. It may be slightly less, because the reply takes time.
     */
    static void assertNearly(Duration remaining, Duration asked) {
        assertThat(remaining).isLessThanOrEqualTo(asked).isGreaterThan(asked.minus(Duration.ofMinutes(1)));
    }

    static Loss lossOf(Renewal renewal) {
        assertThat(renewal).isInstanceOf(Renewal.NotRenewed.class);
        return ((Renewal.NotRenewed) renewal).loss();
    }

    static Loss lossOf(Release release) {
        assertThat(release).isInstanceOf(Release.NotCurrent.class);
        return ((Release.NotCurrent) release).loss();
    }

    static void assertSupersededBy(Loss loss, Grant successor) {
        assertThat(loss).isInstanceOf(Loss.Superseded.class);
        assertThat(((Loss.Superseded) loss).by().token()).isEqualTo(successor.token());
        assertThat(((Loss.Superseded) loss).by().attempt()).isEqualTo(successor.attempt());
    }
}
