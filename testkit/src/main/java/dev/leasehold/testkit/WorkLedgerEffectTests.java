package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.work.Claim;
import dev.leasehold.work.Delivery;
import dev.leasehold.work.Effect;
import dev.leasehold.work.EffectHandler;
import dev.leasehold.work.Reopening;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Effects of a completion, opening a key again, and pruning. Part of {@link WorkLedgerContract}.
 */
abstract class WorkLedgerEffectTests extends WorkLedgerFixture {
    private static final Duration KEPT = Duration.ofMillis(50);
    /** More writes than one run of a key makes, from its claim to the delivery of its effects. */
    private static final int MOST_WRITES = 12;

    private final List<String> outbox = new ArrayList<>();
    private final EffectHandler handler = effect -> outbox.add(effect.id() + " " + effect.body());

    WorkLedgerEffectTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void effectsAreStoredWithTheCompletionAndDeliveredByTheNextRun() throws Exception {
        WorkId id = item("effects");
        WorkClaim claim = claim(grantLong(id.name(), ALICE), id).claim();
        WorkItem done = accepted(ledger.complete(claim, null, List.of("mail ops\nnow", "ping")));
        assertThat(done.effects()).extracting(Effect::id).containsExactly("2026-01-01#1", "2026-01-01#2");
        Grant next = next(id.name());

        Delivery delivery = WorkLedger.over(client()).deliver(next, handler);

        assertThat(outbox).containsExactly("2026-01-01#1 mail ops\nnow", "2026-01-01#2 ping");
        assertThat(delivery.delivered()).containsExactly("2026-01-01#1", "2026-01-01#2");
        assertThat(delivery.left()).isEmpty();
        assertThat(current(id).pendingEffects()).isEmpty();
        assertThat(ledger.deliver(next, handler).delivered()).isEmpty();
        assertThat(outbox).hasSize(2);
    }

    @Test
    void effectThatCannotBeDeliveredBlocksOnlyItsOwnItem() throws Exception {
        Grant grant = grantLong(name("poison"), ALICE);
        for (String key : List.of("a", "b")) {
            WorkId id = new WorkId(grant.name(), WorkKey.of(key));
            accepted(ledger.complete(claim(grant, id).claim(), null, List.of("first", "second")));
        }

        Delivery delivery = ledger.deliver(grant, effect -> {
            if (effect.id().equals("a#1")) {
                throw new IOException("no such mailbox");
            }
            handler.deliver(effect);
        });

        assertThat(outbox).containsExactly("b#1 first", "b#2 second");
        assertThat(delivery.left()).singleElement().satisfies(left -> {
            assertThat(left.effect().id()).isEqualTo("a#1");
            assertThat(left.why()).hasMessage("no such mailbox");
        });
        assertThat(ledger.deliver(grant, handler).delivered()).containsExactly("a#1", "a#2");
    }

    /**
     * A delivery between the announcement of effects and the completion finds nothing and must keep
     * the announcement.
     */
    @Test
    void deliveryInTheMiddleOfACompletionLosesNoEffect() throws Exception {
        WorkId id = item("interleaved");
        Grant grant = grantLong(id.name(), ALICE);
        WorkClaim claim = claim(grant, id).claim();
        FaultyRegister interleaving = new FaultyRegister(store.register());
        interleaving.beforeNextWriteTo("work#", () -> {
            try {
                ledger.deliver(grant, handler);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        accepted(ledger.through(interleaving).complete(claim, null, List.of("mail")));
        assertThat(interleaving.faultsWaiting()).isZero();
        assertThat(outbox).isEmpty();
        assertThat(ledger.deliver(grant, handler).delivered()).containsExactly("2026-01-01#1");
    }

    @Test
    void runThatLostItsLeaseDeliversNothing() throws Exception {
        WorkId id = item("late-delivery");
        Grant grant = grantLong(id.name(), ALICE);
        accepted(ledger.complete(claim(grant, id).claim(), null, List.of("mail")));
        next(id.name());
        assertThat(ledger.deliver(grant, handler).delivered()).isEmpty();
        assertThat(outbox).isEmpty();
    }

    /**
     * The run dies at its n-th write, before or after the write took effect; then the next owner of
     * the lease runs.
     */
    @Test
    void runThatDiesAtAnyWriteIsCompletedOnceAndItsEffectsAreDelivered() throws Exception {
        int deaths = 0;
        for (int writes = 0; writes < MOST_WRITES; writes++) {
            for (boolean lands : new boolean[] {false, true}) {
                outbox.clear();
                WorkId id = item("dies-" + writes + lands);
                FaultyRegister dying = new FaultyRegister(store.register());
                dying.dieAfter(writes, lands);
                boolean completed = runOnce(ledger.through(dying), grantLong(id.name(), ALICE), id);
                deaths += dying.isDead() ? 1 : 0;
                boolean completedAgain = runOnce(ledger, next(id.name()), id);
                assertThat(completed && completedAgain)
                        .as("completed twice, died after %s writes", writes)
                        .isFalse();
                assertThat(current(id).state()).isEqualTo(WorkState.DONE);
                assertThat(current(id).pendingEffects()).isEmpty();
                assertThat(outbox)
                        .as("at least once, and one content under one id, died after %s writes", writes)
                        .contains("2026-01-01#1 mail")
                        .doesNotContain("2026-01-01#2 mail")
                        .hasSizeLessThanOrEqualTo(2);
            }
        }
        assertThat(deaths).as("deaths on the way").isBetween(8, 2 * MOST_WRITES - 1);
    }

    /** One run as users write it. Returns whether it knows that it completed the key. */
    private boolean runOnce(WorkLedger through, Grant grant, WorkId id) throws InterruptedException {
        boolean completed = false;
        try {
            if (through.claim(grant, id, null) instanceof Claim.Claimed claimed) {
                through.checkpoint(claimed.claim(), Checkpoint.of("half of token " + grant.token()));
                completed = through.complete(claimed.claim(), WorkResult.of("whole"), List.of("mail"))
                        instanceof WorkStep.Accepted;
            }
            through.deliver(grant, handler);
        } catch (StoreUnavailableException e) {
            // The run died; the test checks what it left.
        }
        return completed;
    }

    @Test
    void failedKeyIsReopenedWithItsCheckpointAndARunningOneIsRefused() {
        WorkId id = item("reopen");
        Grant grant = grantLong(id.name(), ALICE);
        assertThat(ledger.reopen(id, REASON)).isInstanceOf(Reopening.Refused.class);
        WorkClaim first = claim(grant, id).claim();
        ledger.checkpoint(first, Checkpoint.of("half"));
        assertThat(((Reopening.Refused) ledger.reopen(id, REASON)).explanation())
                .contains("leasehold cancel");
        ledger.fail(first, Note.of("broken"));

        WorkItem open = ((Reopening.Opened) ledger.reopen(id, REASON)).item();
        assertThat(open.state()).isEqualTo(WorkState.OPEN);
        assertThat(open.attempts()).isZero();
        assertThat(open.checkpoint()).isEqualTo(Checkpoint.of("half"));
        assertThat(open.reason()).isEqualTo(REASON);

        WorkClaim second = claim(grant, id).claim();
        accepted(ledger.complete(second, WorkResult.of("wrong"), List.of("mail")));
        assertThat(((Reopening.Refused) ledger.reopen(id, REASON)).explanation())
                .contains("not delivered");
    }

    @Test
    void effectsOfAReopenedKeyGetNewNumbers() throws Exception {
        WorkId id = item("repeat");
        Grant grant = grantLong(id.name(), ALICE);
        WorkClaim first = claim(grant, id).claim();
        accepted(ledger.complete(first, WorkResult.of("wrong"), List.of("mail")));
        ledger.deliver(grant, handler);
        assertThat(ledger.reopen(id, REASON)).isInstanceOf(Reopening.Opened.class);
        assertStale(ledger.complete(first, WorkResult.of("wrong again")), id);

        Claim.Claimed second = claim(grant, id);
        assertThat(second.item().checkpoint()).isNull();
        assertThat(second.item().attempts()).isEqualTo(1);
        accepted(ledger.complete(second.claim(), WorkResult.of("right"), List.of("mail")));
        ledger.deliver(grant, handler);
        assertThat(outbox).containsExactly("2026-01-01#1 mail", "2026-01-01#2 mail");
    }

    @Test
    void completionPrunesOnlyOldDoneItems() throws Exception {
        WorkLedger forgetful = ledger.keepingDoneItems(KEPT);
        Grant grant = grantLong(name("prune"), ALICE);
        WorkId done = new WorkId(grant.name(), WorkKey.of("done"));
        WorkId failed = new WorkId(grant.name(), WorkKey.of("failed"));
        WorkId running = new WorkId(grant.name(), WorkKey.of("running"));
        WorkId undelivered = new WorkId(grant.name(), WorkKey.of("undelivered"));
        WorkClaim first = claim(grant, done).claim();
        accepted(forgetful.complete(first, null));
        accepted(forgetful.fail(claim(grant, failed).claim(), Note.of("broken")));
        claim(grant, running);
        accepted(forgetful.complete(claim(grant, undelivered).claim(), null, List.of("mail")));
        passTime(KEPT.multipliedBy(2));

        accepted(forgetful.complete(
                claim(grant, new WorkId(grant.name(), WorkKey.of("next"))).claim(), null));

        assertThat(ledger.find(done)).isEmpty();
        assertThat(current(failed).state()).isEqualTo(WorkState.FAILED);
        assertThat(current(running).state()).isEqualTo(WorkState.RUNNING);
        assertThat(current(undelivered).state()).isEqualTo(WorkState.DONE);
        Claim.Claimed reclaimed = claim(next(grant.name()), done);
        assertThat(reclaimed.item().attempts()).as("a pruned key is new").isEqualTo(1);
        assertThat(reclaimed.claim().epoch()).isEqualTo(first.epoch());
        assertStale(ledger.checkpoint(first, Checkpoint.of("from before")), done);
    }

    /** The name completes nothing any more, so no completion prunes its items. */
    @Test
    void pruningByHandRemovesOnlyOldDoneItems() throws Exception {
        Grant grant = grantLong(name("prune-all"), ALICE);
        WorkId done = new WorkId(grant.name(), WorkKey.of("done"));
        WorkId running = new WorkId(grant.name(), WorkKey.of("running"));
        WorkId undelivered = new WorkId(grant.name(), WorkKey.of("undelivered"));
        accepted(ledger.complete(claim(grant, done).claim(), null));
        claim(grant, running);
        accepted(ledger.complete(claim(grant, undelivered).claim(), null, List.of("mail")));
        assertThat(ledger.prune(grant.name(), Duration.ofDays(1))).isZero();
        passTime(KEPT.multipliedBy(2));

        assertThat(ledger.prune(grant.name(), KEPT)).isEqualTo(1);

        assertThat(ledger.find(done)).isEmpty();
        assertThat(ledger.find(running)).isPresent();
        assertThat(ledger.find(undelivered)).isPresent();
    }
}
