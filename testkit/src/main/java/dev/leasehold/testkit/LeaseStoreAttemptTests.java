package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Attempt ids (replay and giving up) and reports of progress. Part of {@link LeaseStoreContract}.
 */
abstract class LeaseStoreAttemptTests extends StoreFixture {
    LeaseStoreAttemptTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void attemptReplayedWhileCurrentGetsItsOwnGrantAgain() {
        LeaseName name = name("replay");
        AttemptId attempt = attempt();
        Acquisition.Granted first = granted(store.acquire(name, attempt, ALICE, LONG));
        LeaseRecord before = record(name);
        Acquisition.Granted again = granted(store.acquire(name, attempt, ALICE, shortTtl()));
        assertThat(again.grant()).isEqualTo(first.grant());
        assertThat(again.transfer()).isEqualTo(first.transfer());
        assertThat(record(name).deadline()).as("the deadline never moves back").isEqualTo(before.deadline());
        Acquisition.Granted longer = granted(store.acquire(name, attempt, ALICE, LONG.multipliedBy(2)));
        assertThat(longer.grant()).isEqualTo(first.grant());
        assertNearly(longer.remaining(), LONG.multipliedBy(2));
        assertThat(store.history(name, 10)).hasSize(1);
    }

    @Test
    void attemptReplayedAfterExpiryIsSpent() throws InterruptedException {
        LeaseName name = name("spent-expired");
        Grant grant = lapsedGrant(name);
        assertSpent(grant);
        assertFree(name, grant);
    }

    @Test
    void attemptReplayedAfterReleaseIsSpent() {
        LeaseName name = name("spent-released");
        Grant grant = grantLong(name, ALICE);
        store.release(grant, LONG);
        assertSpent(grant);
        assertTaken(name, grant);
    }

    @Test
    void attemptReplayedUnderItsSuccessorDoesNotGetItsTokenBack() throws InterruptedException {
        LeaseName name = name("replay-late");
        Grant grant = lapsedGrant(name);
        Grant successor = assertFree(name, grant).grant();
        LeaseRecord before = record(name);
        assertThat(store.acquire(name, attemptOf(grant), ALICE, LONG)).isNotInstanceOf(Acquisition.Granted.class);
        assertThat(record(name)).isEqualTo(before);
        assertTaken(name, successor);
    }

    @Test
    void abandonedAttemptFreesTheName() {
        LeaseName name = name("abandon");
        Grant grant = grantLong(name, ALICE);
        store.abandon(name, attemptOf(grant));
        store.abandon(name, attemptOf(grant));
        assertSpent(grant);
        assertThat(lossOf(renew(grant, LONG))).isInstanceOf(Loss.Released.class);
        Grant successor = assertFree(name, grant).grant();
        store.abandon(name, attemptOf(grant));
        assertTaken(name, successor);
    }

    @Test
    void abandonOfAnotherAttemptChangesNothing() {
        LeaseName name = name("abandon-stranger");
        Grant grant = grantLong(name, ALICE);
        LeaseRecord before = record(name);
        store.abandon(name, attempt());
        assertThat(record(name)).isEqualTo(before);
        assertTaken(name, grant);
    }

    @Test
    void abandonAfterAReleaseKeepsTheMinHold() {
        LeaseName name = name("abandon-released");
        Grant grant = grantLong(name, ALICE);
        store.release(grant, LONG);
        store.abandon(name, attemptOf(grant));
        assertTaken(name, grant);
    }

    @Test
    void progressOfTheOwnerIsSeenByEveryClient() {
        LeaseName name = name("progress");
        Grant grant = grantLong(name, ALICE);
        assertThat(record(name).progress()).isNull();
        assertNoted(store.progress(grant, Note.of("half way"), Checkpoint.of("row 500")));
        LeaseRecord.Progress first =
                progress(client().inspect(name).orElseThrow().lease());
        assertThat(first.note()).isEqualTo(Note.of("half way"));
        assertThat(first.checkpoint()).isEqualTo(Checkpoint.of("row 500"));
        assertNoted(store.progress(grant, Note.of("nearly there"), null));
        assertNoted(store.progress(grant, null, null));
        LeaseRecord.Progress last = progress(record(name));
        assertThat(last.note()).isEqualTo(Note.of("nearly there"));
        assertThat(last.checkpoint()).isEqualTo(Checkpoint.of("row 500"));
        assertThat(last.at()).isAfterOrEqualTo(first.at());
    }

    @Test
    void progressDoesNotExtendTheLease() {
        LeaseName name = name("progress-deadline");
        Grant grant = grantLong(name, ALICE);
        LeaseRecord before = record(name);
        assertNoted(store.progress(grant, Note.of("busy"), null));
        assertThat(record(name).deadline()).isEqualTo(before.deadline());
        assertThat(record(name).owner()).isEqualTo(before.owner());
    }

    @Test
    void renewalKeepsTheProgressOfItsOwner() {
        LeaseName name = name("progress-kept");
        Grant grant = grantLong(name, ALICE);
        assertNoted(store.progress(grant, Note.of("half way"), Checkpoint.of("row 500")));
        LeaseRecord.Progress before = progress(record(name));
        renew(grant, LONG.multipliedBy(2));
        assertThat(progress(record(name))).isEqualTo(before);
    }

    /** The longest texts, with characters that an encoding may escape. */
    @Test
    void longestNoteAndCheckpointFitWithAnyCharacters() {
        LeaseName name = name("progress-longest");
        Grant grant = grantLong(name, Holder.of("%".repeat(Holder.MAX_LENGTH)));
        for (String character : List.of("p", "\"", "\\", "%", "'", "=", "&")) {
            Note note = Note.of(character.repeat(Note.MAX_LENGTH));
            Checkpoint checkpoint = Checkpoint.of(character.repeat(Checkpoint.MAX_LENGTH));
            assertNoted(store.progress(grant, note, checkpoint));
            assertThat(progress(record(name)).note()).isEqualTo(note);
            assertThat(progress(record(name)).checkpoint()).isEqualTo(checkpoint);
        }
        assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
    }

    @Test
    void progressFromAStaleTokenChangesNothing() throws InterruptedException {
        LeaseName name = name("progress-stale");
        Grant zombie = lapsedGrant(name);
        assertThat(lossOf(store.progress(zombie, Note.of("I live"), null))).isInstanceOf(Loss.Lapsed.class);
        assertThat(record(name).progress()).isNull();
        Grant successor = assertFree(name, zombie).grant();
        assertNoted(store.progress(successor, Note.of("mine"), Checkpoint.of("1")));
        LeaseRecord before = record(name);
        assertSupersededBy(lossOf(store.progress(zombie, Note.of("I live"), Checkpoint.of("0"))), successor);
        assertThat(record(name)).isEqualTo(before);
    }

    @Test
    void successorStartsWithoutTheProgressOfItsPredecessor() {
        LeaseName name = name("progress-successor");
        Grant grant = grantLong(name, ALICE);
        assertNoted(store.progress(grant, Note.of("done"), null));
        store.release(grant, Duration.ZERO);
        assertFree(name, grant);
        assertThat(record(name).progress()).isNull();
    }

    private void assertSpent(Grant grant) {
        LeaseRecord before = record(grant.name());
        assertThat(store.acquire(grant.name(), attemptOf(grant), ALICE, LONG)).isInstanceOf(Acquisition.Spent.class);
        assertThat(record(grant.name())).as("a spent attempt changes nothing").isEqualTo(before);
    }

    private static LeaseRecord.Progress progress(LeaseRecord record) {
        return Objects.requireNonNull(record.progress(), "no progress was recorded");
    }

    private static void assertNoted(ProgressReport report) {
        assertThat(report).isInstanceOf(ProgressReport.Noted.class);
    }

    private static Loss lossOf(ProgressReport report) {
        assertThat(report).isInstanceOf(ProgressReport.NotCurrent.class);
        return ((ProgressReport.NotCurrent) report).loss();
    }
}
