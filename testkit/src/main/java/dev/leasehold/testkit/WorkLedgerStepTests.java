package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.work.Claim;
import dev.leasehold.work.Fingerprint;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps of one key: claim, checkpoint, fail, complete. Part of {@link WorkLedgerContract}. */
abstract class WorkLedgerStepTests extends WorkLedgerFixture {
    private static final WorkResult RESULT = WorkResult.of("pages: 40\ncaf\u00e9 \ud83d\ude00");

    WorkLedgerStepTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void doneKeyIsNotRunAgainAndReturnsItsResult() {
        WorkId id = item("done");
        Grant first = grantLong(id.name(), ALICE);
        Claim.Claimed claimed = claim(first, id);
        assertThat(claimed.item().attempts()).isEqualTo(1);
        assertThat(claimed.item().checkpoint()).isNull();
        accepted(ledger.complete(claimed.claim(), RESULT));

        Claim again = ledger.claim(next(id.name()), id, null);

        assertThat(again).isInstanceOf(Claim.AlreadyDone.class);
        WorkItem done = ((Claim.AlreadyDone) again).item();
        assertThat(done.result()).isEqualTo(RESULT);
        assertThat(done.state()).isEqualTo(WorkState.DONE);
        assertThat(done.by()).isEqualTo(new WorkItem.Claimant(first, ALICE));
        assertThat(current(id)).isEqualTo(done);
    }

    @Test
    void keyWhoseRunnerDiedIsResumedWithItsLastCheckpoint() throws InterruptedException {
        WorkId id = item("resumed");
        WorkClaim first = claimUnderShortLease(id);
        ledger.checkpoint(first, Checkpoint.of("page 12"));
        passShortTtl();

        Claim.Claimed second = claim(grantLong(id.name(), BOB), id);

        assertThat(second.item().checkpoint()).isEqualTo(Checkpoint.of("page 12"));
        assertThat(second.item().attempts()).isEqualTo(2);
        assertThat(second.claim().epoch()).isEqualTo(first.epoch() + 1);
        assertThat(second.item().by())
                .isEqualTo(new WorkItem.Claimant(second.claim().grant(), BOB));
    }

    @Test
    void operatorCompletesAKnownKeyOnceAndTheRunningAttemptIsRefused() {
        WorkId id = item("by-an-operator");
        assertThat(ledger.completeAsOperator(id, RESULT, Note.of("r")))
                .as("an unknown key")
                .isEmpty();
        Grant grant = grantLong(id.name(), ALICE);
        WorkClaim running = claim(grant, id).claim();
        accepted(ledger.checkpoint(running, Checkpoint.of("page 3")));

        WorkItem done =
                ledger.completeAsOperator(id, RESULT, Note.of("made by hand")).orElseThrow();

        assertThat(done.state()).isEqualTo(WorkState.DONE);
        assertThat(done.epoch()).isEqualTo(running.epoch() + 1);
        assertThat(done.by()).isNull();
        assertThat(done.reason()).isEqualTo(Note.of("made by hand"));
        assertThat(ledger.completeAsOperator(id, null, Note.of("again"))).contains(done);
        assertStale(ledger.complete(running, WorkResult.of("late"), List.of("mail")), id);
        assertStale(ledger.fail(running, Note.of("late")), id);
        assertThat(ledger.claimOf(grant, id)).isEmpty();
        assertThat(ledger.claim(grant, id, null)).isEqualTo(new Claim.AlreadyDone(done));
        assertThat(current(id)).isEqualTo(done);
    }

    @Test
    void replacedRunCanNeitherCompleteNorFailNorMoveTheCheckpoint() {
        WorkId id = item("replaced");
        WorkClaim zombie = claim(grantLong(id.name(), ALICE), id).claim();
        WorkClaim successor = claim(next(id.name()), id).claim();
        accepted(ledger.checkpoint(successor, Checkpoint.of("page 40")));
        WorkItem before = current(id);

        assertStale(ledger.checkpoint(zombie, Checkpoint.of("page 1")), id);
        assertStale(ledger.fail(zombie, Note.of("late")), id);
        assertStale(ledger.complete(zombie, RESULT, List.of("send a mail")), id);

        assertThat(current(id)).isEqualTo(before);
        accepted(ledger.complete(successor, RESULT));
        assertStale(ledger.complete(zombie, WorkResult.of("late")), id);
        assertThat(current(id).result()).isEqualTo(RESULT);
    }

    @Test
    void runThatLostItsLeaseCannotCompleteEvenBeforeItsSuccessorClaimsTheKey() {
        WorkId id = item("taken-over");
        WorkClaim zombie = claim(grantLong(id.name(), ALICE), id).claim();
        next(id.name());
        assertStale(ledger.complete(zombie, RESULT), id);
        assertThat(current(id).state()).isEqualTo(WorkState.RUNNING);
    }

    /** As at a fence, only a successor makes a lapsed run stale. */
    @Test
    void runWhoseLeaseLapsedCompletesIfNoOtherRunTookOver() throws InterruptedException {
        WorkId id = item("lapsed");
        WorkClaim claim = claimUnderShortLease(id);
        passShortTtl();
        accepted(ledger.complete(claim, RESULT));
    }

    @Test
    void supersededAndLapsedLeasesCanClaimNothing() throws InterruptedException {
        WorkId id = item("not-current");
        Grant lapsed = lapsedGrant(id.name());
        Claim late = ledger.claim(lapsed, id, null);
        assertThat(late).isInstanceOf(Claim.NotCurrent.class);
        assertThat(((Claim.NotCurrent) late).loss()).isInstanceOf(Loss.Lapsed.class);
        next(id.name());
        Claim later = ledger.claim(lapsed, id, null);
        assertThat(((Claim.NotCurrent) later).loss()).isInstanceOf(Loss.Superseded.class);
        assertThat(ledger.find(id)).as("nothing was written").isEmpty();
    }

    @Test
    void failedAttemptIsTriedAgainUnderTheSameLeaseAndKeepsItsCheckpoint() {
        WorkId id = item("failed");
        Grant grant = grantLong(id.name(), ALICE);
        WorkClaim first = claim(grant, id).claim();
        ledger.checkpoint(first, Checkpoint.of("half"));
        WorkItem failed = accepted(ledger.fail(first, Note.of("no network")));
        assertThat(failed.state()).isEqualTo(WorkState.FAILED);
        assertThat(failed.lastError()).isEqualTo(Note.of("no network"));

        Claim.Claimed second = claim(grant, id);

        assertThat(second.item().attempts()).isEqualTo(2);
        assertThat(second.item().checkpoint()).isEqualTo(Checkpoint.of("half"));
        assertThat(second.item().lastError()).isEqualTo(Note.of("no network"));
        assertStale(ledger.complete(first, RESULT), id);
        accepted(ledger.complete(second.claim(), RESULT));
        assertStale(ledger.fail(second.claim(), Note.of("too late to fail")), id);
    }

    @Test
    void sameKeyWithAnotherInputIsAnErrorEvenWhenItIsDone() {
        WorkId id = item("input");
        Fingerprint input = Fingerprint.ofInput("42 pages");
        Grant grant = grantLong(id.name(), ALICE);
        WorkClaim claim = claimed(ledger.claim(grant, id, input)).claim();
        assertThat(ledger.claim(grant, id, Fingerprint.ofInput("43 pages"))).isInstanceOf(Claim.OtherInput.class);
        accepted(ledger.complete(claim, RESULT));
        Claim other = ledger.claim(grant, id, Fingerprint.ofInput("43 pages"));
        assertThat(other).isInstanceOf(Claim.OtherInput.class);
        assertThat(((Claim.OtherInput) other).explanation()).contains(id.key().value(), input.value());
        assertThat(ledger.claim(grant, id, input)).isInstanceOf(Claim.AlreadyDone.class);
        assertThat(ledger.claim(grant, id, null)).isInstanceOf(Claim.AlreadyDone.class);
    }

    /** A run that found its lease busy and fell back to another name works on the same item. */
    @Test
    void keyThatRunsUnderAnotherLeaseIsNotClaimedWhileThatLeaseLasts() {
        WorkId id = item("fallback");
        Grant fallback = grantLong(name("fallback-other"), ALICE);
        WorkClaim first = claim(fallback, id).claim();
        Grant own = grantLong(id.name(), BOB);

        Claim busy = ledger.claim(own, id, null);
        assertThat(busy).isInstanceOf(Claim.Taken.class);
        assertThat(((Claim.Taken) busy).by()).isEqualTo(fallback);

        store.release(fallback, Duration.ZERO);
        Claim.Claimed second = claim(own, id);
        assertThat(second.item().attempts()).isEqualTo(2);
        assertStale(ledger.complete(first, RESULT), id);
    }

    @Test
    void grantOfAnotherAttemptOrAnotherStoreClaimsNothing() {
        WorkId id = item("another");
        Grant grant = grantLong(id.name(), ALICE);
        claim(grant, id);
        Grant twin = new Grant(grant.name(), grant.token(), attempt(), grant.store());
        assertThat(ledger.claim(twin, id, null)).isInstanceOf(Claim.NotCurrent.class);
        assertThatThrownBy(() -> ledger.claim(
                        new Grant(grant.name(), grant.token(), grant.attempt(), StoreId.of("another-store")), id, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another store");
    }

    @Test
    void bareTokenFindsOnlyItsOwnClaim() {
        WorkId id = item("bare");
        Grant grant = grantLong(id.name(), ALICE);
        WorkClaim claim = claim(grant, id).claim();
        Grant bare = Grant.bare(grant.name(), grant.token());
        assertThat(ledger.claimOf(bare, id)).contains(new WorkClaim(id, bare, claim.epoch()));
        Grant successor = next(id.name());
        claim(successor, id);
        assertThat(ledger.claimOf(bare, id)).isEmpty();
        assertThat(ledger.claimOf(successor, id)).isPresent();
    }

    @Test
    void resultsAndEffectsOverTheLimitAreRefusedWithoutAnyChange() {
        WorkId id = item("limits");
        WorkClaim claim = claim(grantLong(id.name(), ALICE), id).claim();
        WorkItem before = current(id);
        assertThatThrownBy(() -> ledger.complete(claim, WorkResult.of("\u4f60".repeat(WorkResult.MAX_BYTES / 3 + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8192");
        assertThatThrownBy(() -> ledger.complete(claim, null, List.of("x".repeat(1025))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ledger.complete(claim, null, Collections.nCopies(17, "x")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ledger.checkpoint(claim, Checkpoint.of("x".repeat(5000))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(current(id)).isEqualTo(before);

        // The largest values together fit, also in their longest encoded form.
        ledger.checkpoint(claim, Checkpoint.of("x".repeat(Checkpoint.MAX_LENGTH)));
        WorkResult largest = WorkResult.of("\n".repeat(WorkResult.MAX_BYTES));
        accepted(ledger.complete(claim, largest, Collections.nCopies(16, "\t".repeat(1024))));
        assertThat(current(id).result()).isEqualTo(largest);
    }

    @Test
    void unusualKeysDoNotCollideAndAreListedInPages() {
        List<WorkId> ids = new ArrayList<>();
        Grant grant = grantLong(name("list"), ALICE);
        for (String key : List.of("!", "a", "a/../b", "a@2026-01-01T00:00:00Z", "b", "k".repeat(150), "~")) {
            WorkId id = new WorkId(grant.name(), WorkKey.of(key));
            claim(grant, id);
            ids.add(id);
        }
        Grant other = grantLong(name("list/more"), BOB);
        claim(other, new WorkId(other.name(), WorkKey.of("a")));

        List<WorkItem> first = ledger.list(grant.name(), null, 4);
        List<WorkItem> rest = ledger.list(grant.name(), first.get(3).id(), 100);

        List<WorkId> listed = new ArrayList<>();
        first.forEach(item -> listed.add(item.id()));
        rest.forEach(item -> listed.add(item.id()));
        assertThat(listed).isEqualTo(ids);
        assertThat(ledger.list(name("list/nothing"), null, 100)).isEmpty();
    }
}
