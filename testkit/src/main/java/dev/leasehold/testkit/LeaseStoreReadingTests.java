package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Snapshots, history and lists, and which names differ. Part of {@link LeaseStoreContract}. */
abstract class LeaseStoreReadingTests extends StoreFixture {
    private static final int TRANSFERS = LeaseStore.HISTORY_KEPT + 6;

    LeaseStoreReadingTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void storeIdIsStable() {
        StoreId id = store.id();
        LeaseStore second = client();
        assertThat(second.id()).isEqualTo(id);
        close(second);
        close(store);
        assertThat(client().id()).isEqualTo(id);
    }

    @Test
    void grantsAndTokensSurviveAReconnect() {
        LeaseName name = name("reconnect");
        Grant grant = grantLong(name, ALICE);
        close(store);
        store = client();
        assertTaken(name, grant);
        assertThat(renew(grant, LONG)).isInstanceOf(Renewal.Renewed.class);
        assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        close(store);
        store = client();
        assertFree(name, grant);
        assertThat(store.history(name, 10)).hasSize(2);
    }

    @Test
    void clientsSeeEachOthersLeases() {
        LeaseName name = name("clients");
        LeaseStore other = client();
        Grant grant = grantLong(name, ALICE);
        assertThat(other.acquire(name, attempt(), BOB, LONG)).isInstanceOf(Acquisition.Busy.class);
        assertThat(other.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        Grant next = granted(other.acquire(name, attempt(), BOB, LONG)).grant();
        assertSupersededBy(lossOf(renew(grant, LONG)), next);
        assertTaken(name, next);
    }

    @Test
    void callsOnAnUnknownNameDoNotCreateIt() {
        LeaseName name = name("unknown");
        Grant invented = new Grant(name, FencingToken.of(firstToken() + 2), attempt(), store.id());
        assertThat(store.inspect(name)).isEmpty();
        assertThat(store.history(name, 10)).isEmpty();
        assertThat(lossOf(renew(invented, LONG))).isInstanceOf(Loss.Forgotten.class);
        assertThat(lossOf(store.release(invented, LONG))).isInstanceOf(Loss.Forgotten.class);
        assertThat(store.progress(invented, REASON, null)).isInstanceOf(ProgressReport.NotCurrent.class);
        store.abandon(name, attempt());
        assertThat(store.inspect(name)).isEmpty();
        assertThat(store.list(name.value(), "", 10)).isEmpty();
        assertThat(granted(store.acquire(name, attempt(), ALICE, LONG))
                        .transfer()
                        .reason())
                .isEqualTo(TransferReason.FIRST);
    }

    @Test
    void snapshotShowsTheStateInStoreTime() throws InterruptedException {
        LeaseName name = name("snapshot");
        Grant grant = grantShort(name, ALICE);
        Instant first = snapshot(name).at();
        assertThat(record(name).owner().at()).isBeforeOrEqualTo(first);
        passShortTtl();
        LeaseSnapshot expired = snapshot(name);
        assertThat(expired.at()).isAfter(first);
        assertThat(expired.state()).isEqualTo(LeaseSnapshot.State.EXPIRED);
        assertThat(expired.remaining()).isZero();
        Grant next = assertFree(name, grant).grant();
        assertThat(snapshot(name).state()).isEqualTo(LeaseSnapshot.State.HELD);
        assertNearly(snapshot(name).remaining(), LONG);
        store.release(next, Duration.ZERO);
        assertThat(snapshot(name).state()).isEqualTo(LeaseSnapshot.State.RELEASED);
    }

    /**
     * The longest texts, so that a store with a size limit for records reaches it here and not in
     * production.
     */
    @Test
    void historyKeepsAtLeastFiftyTransfersWithReasons() {
        LeaseName name = LeaseName.of(pad(name("history").value(), LeaseName.MAX_LENGTH));
        Holder holder = Holder.of(pad("holder ", Holder.MAX_LENGTH));
        Grant first = granted(store.acquire(name, attempt(), holder, LONG)).grant();
        store.release(first, Duration.ZERO);
        granted(store.acquire(name, attempt(), holder, LONG));
        for (int token = 3; token <= TRANSFERS; token++) {
            Note note = Note.of(pad("reason " + token + " ", Note.MAX_LENGTH));
            AttemptId attempt = attempt();
            store.intervene(
                    token % 2 == 0
                            ? Intervention.takeover(name, attempt, holder, LONG, note)
                            : Intervention.cancel(name, attempt, holder, note));
        }
        Grant last = new Grant(name, record(name).token(), record(name).owner().attempt(), store.id());
        store.progress(last, Note.of(pad("", Note.MAX_LENGTH)), Checkpoint.of(pad("", Checkpoint.MAX_LENGTH)));
        List<Transfer> history = store.history(name, 1000);
        assertThat(history).hasSizeGreaterThanOrEqualTo(LeaseStore.HISTORY_KEPT);
        for (int i = 0; i < LeaseStore.HISTORY_KEPT; i++) {
            long token = (long) TRANSFERS - i;
            assertThat(history.get(i).token().value() - first.token().value() + 1)
                    .as("newest first, none missing")
                    .isEqualTo(token);
            assertThat(history.get(i).holder()).isEqualTo(holder);
            assertThat(history.get(i).reason())
                    .isEqualTo(token % 2 == 0 ? TransferReason.TAKEOVER : TransferReason.CANCELLED);
            assertThat(history.get(i).note()).isEqualTo(Note.of(pad("reason " + token + " ", Note.MAX_LENGTH)));
            assertThat(history.get(i).at())
                    .isAfterOrEqualTo(
                            history.get(i + 1 < history.size() ? i + 1 : i).at());
        }
        assertThat(store.history(name, 3)).isEqualTo(history.subList(0, 3));
    }

    /** A record that outgrows the limit of its store would lock its name permanently. */
    @Test
    void longestReasonsOfManyTakeoversFitWithAnyCharacters() {
        LeaseName name = name("history-longest");
        Holder holder = Holder.of("%".repeat(Holder.MAX_LENGTH));
        Note note = Note.of("%".repeat(Note.MAX_LENGTH));
        for (int token = 1; token <= TRANSFERS; token++) {
            granted(store.intervene(Intervention.takeover(name, attempt(), holder, LONG, note)));
        }
        assertThat(store.history(name, 1000))
                .hasSizeGreaterThanOrEqualTo(LeaseStore.HISTORY_KEPT)
                .allMatch(transfer -> note.equals(transfer.note()) && holder.equals(transfer.holder()));
    }

    @Test
    void historyRecordsHowOwnershipMoved() throws InterruptedException {
        LeaseName name = name("history-plain");
        Grant released = grantLong(name, ALICE);
        store.release(released, Duration.ZERO);
        Grant lapsed = lapsedGrant(name);
        Grant last = assertFree(name, lapsed).grant();
        renew(last, LONG);
        assertThat(store.history(name, 10))
                .extracting(Transfer::reason)
                .containsExactly(TransferReason.EXPIRED, TransferReason.RELEASED, TransferReason.FIRST);
        assertThat(store.history(name, 10))
                .extracting(Transfer::attempt)
                .containsExactly(last.attempt(), lapsed.attempt(), released.attempt());
    }

    @Test
    void namesThatDifferOnlyInCaseAreDifferent() {
        Grant lower = grantLong(name("case-job"), ALICE);
        Grant upper = grantLong(name("case-Job"), BOB);
        assertThat(record(lower.name()).owner().holder()).isEqualTo(ALICE);
        assertThat(record(upper.name()).owner().holder()).isEqualTo(BOB);
        store.release(lower, Duration.ZERO);
        assertTaken(upper.name(), upper);
    }

    @Test
    void onlyScratchNamesCanBeErased() {
        LeaseName kept = name("kept");
        LeaseName scratch = LeaseName.of(LeaseStore.SCRATCH_PREFIX + kept);
        granted(store.intervene(takeover(kept, attempt())));
        granted(store.intervene(takeover(scratch, attempt())));
        assertThatThrownBy(() -> store.eraseScratch(kept)).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.inspect(kept)).isPresent();
        assertThat(store.eraseScratch(scratch)).isTrue();
        assertThat(store.inspect(scratch)).isEmpty();
        assertThat(store.history(scratch, 10)).isEmpty();
        assertThat(store.list(scratch.value(), "", 10)).isEmpty();
    }

    private static List<String> hostileNames(String tail) {
        String longest = pad("long/" + tail, LeaseName.MAX_LENGTH - 1);
        return List.of(
                ".",
                "..",
                "../" + tail,
                "../../" + tail,
                "/" + tail,
                "//" + tail,
                tail + "/",
                tail + "//",
                "-" + tail,
                "--" + tail,
                "a/b" + tail,
                "a.b" + tail,
                "a:b" + tail,
                "a@b" + tail,
                "a-b" + tail,
                "a_b" + tail,
                "ab" + tail,
                tail + ".",
                tail + "..",
                tail + "/.",
                tail + "/..",
                "con",
                "state",
                "lock",
                "n-" + tail,
                "h-" + tail,
                "2f" + tail,
                longest + "a",
                longest + "b",
                longest + "A",
                longest + "/",
                longest);
    }

    /**
     * The test takes these names over instead of acquiring them, because the shortest ones cannot
     * be made unique for one test.
     */
    @Test
    void hostileNamesDoNotCollide() {
        Map<LeaseName, AttemptId> owners = new LinkedHashMap<>();
        for (String text : hostileNames(name("x").value())) {
            AttemptId attempt = attempt();
            granted(store.intervene(takeover(LeaseName.of(text), attempt)));
            owners.put(LeaseName.of(text), attempt);
        }
        owners.forEach((name, attempt) -> {
            assertThat(record(name).name()).isEqualTo(name);
            assertThat(record(name).owner().attempt()).as("owner of %s", name).isEqualTo(attempt);
            assertThat(store.list(name.value(), "", 1))
                    .extracting(s -> s.lease().name())
                    .containsExactly(name);
            store.abandon(name, attempt);
        });
    }

    @Test
    void listPagesInOrderOfNames() {
        String prefix = name("list").value() + "/";
        // The order of ASCII, which is neither that of a dictionary nor that of encoded file names.
        List<String> tails = List.of("-", ".", "/", "0", "10", "2", ":", "@", "B", "Ba", "_", "a", "a/b", "ab", "b");
        List<String> expected = tails.stream().map(tail -> prefix + tail).toList();
        for (int i = expected.size() - 1; i >= 0; i--) {
            grantLong(LeaseName.of(expected.get(i)), ALICE);
        }
        grantLong(name("list-other"), ALICE);
        List<String> paged = new ArrayList<>();
        String after = "";
        for (int page = 0; page <= expected.size(); page++) {
            List<String> names = namesOf(store.list(prefix, after, 4));
            if (names.isEmpty()) {
                break;
            }
            assertThat(names).hasSizeLessThanOrEqualTo(4);
            paged.addAll(names);
            after = names.get(names.size() - 1);
        }
        assertThat(paged).isEqualTo(expected);
        assertThat(namesOf(store.list(prefix + "a", "", 10)))
                .containsExactly(prefix + "a", prefix + "a/b", prefix + "ab");
        assertThat(namesOf(store.list("", prefix + "_", 1))).containsExactly(prefix + "a");
    }

    @Test
    void registerBesideTheLeasesIsSharedByClients() {
        String key = "contract/" + name("register");
        CasRegister mine = store.register();
        assertThat(mine.compareAndSet(key, CasRegister.ABSENT, "one")).isTrue();
        CasRegister.Reading theirs = client().register().read(key);
        assertThat(theirs.value()).contains("one");
        assertThat(mine.compareAndSet(key, theirs.version(), "two")).isTrue();
        assertThat(namesOf(store.list(key, "", 1)))
                .as("a key is not listed as a lease")
                .isEmpty();
    }

    /**
     * A watch may return early or without a change, but it must return in time: a waiting client
     * has to check the lease again.
     */
    @Test
    void watchReturnsInTimeAndDoesNotCreateTheName() throws InterruptedException {
        LeaseName name = name("watched");
        Optional<Watch> watch = store.watch(name);
        if (watch.isPresent()) {
            long began = System.nanoTime();
            watch.get().await(shortTtl());
            watch.get().close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
        }
        assertThat(store.inspect(name)).isEmpty();
        assertThat(store.list(name.value(), "", 1)).isEmpty();
        assertThat(store.history(name, 1)).isEmpty();
        assertThat(granted(store.acquire(name, attempt(), ALICE, LONG))
                        .grant()
                        .token()
                        .value())
                .isEqualTo(firstToken());
    }

    private static List<String> namesOf(List<LeaseSnapshot> snapshots) {
        return snapshots.stream().map(s -> s.lease().name().value()).toList();
    }

    private static String pad(String text, int length) {
        return text + "p".repeat(length - text.length());
    }
}
