package dev.leasehold.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.EngineFixture;
import dev.leasehold.Lease;
import dev.leasehold.RunOutcome;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.FaultyRegister;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work under a lease that is held, in virtual time. */
class WorkTest {
    private static final WorkId ID = WorkId.of("job", "2026-01-01");

    private final EngineFixture engine = new EngineFixture();
    private final FaultyRegister register = new FaultyRegister(engine.memory.register());
    private final WorkLedger ledger =
            WorkLedger.over(engine.network, engine.manual.timers()).through(register);

    @Test
    void runsOnceAndReturnsTheResult() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            RunOutcome<WorkOutcome> outcome = engine.leases.run(
                    "job", lease -> ledger.run(lease, "2026-01-01", work -> "run " + runs.incrementAndGet()));
            WorkOutcome inner = ((RunOutcome.Ran<WorkOutcome>) outcome).value();
            assertThat(inner).isInstanceOf(i == 0 ? WorkOutcome.Completed.class : WorkOutcome.AlreadyDone.class);
        }
        assertThat(runs).hasValue(1);
        assertThat(item().result()).isEqualTo(WorkResult.of("run 1"));
    }

    @Test
    void errorAlsoFailsTheAttempt() {
        try (Lease lease = engine.hold()) {
            assertThatThrownBy(() -> ledger.run(lease, "2026-01-01", work -> {
                        throw new StackOverflowError("too deep");
                    }))
                    .isInstanceOf(StackOverflowError.class);
        }
        assertThat(item().state()).isEqualTo(WorkState.FAILED);
    }

    @Test
    void exceptionFailsTheAttemptAndTheNextOneResumes() throws Exception {
        try (Lease lease = engine.hold()) {
            assertThatThrownBy(() -> ledger.run(lease, "2026-01-01", work -> {
                        work.checkpoint("page 7");
                        throw new IllegalStateException("printer on fire\n");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(item().state()).isEqualTo(WorkState.FAILED);
            assertThat(item().lastError()).isEqualTo(Note.of("java.lang.IllegalStateException: printer on fire?"));
            WorkOutcome outcome = ledger.run(lease, "2026-01-01", work -> {
                assertThat(work.attempt()).isEqualTo(2);
                assertThat(work.checkpoint()).contains(Checkpoint.of("page 7"));
                return null;
            });
            assertThat(outcome).isInstanceOf(WorkOutcome.Completed.class);
        }
    }

    @Test
    void checkpointCountsAsProgressOfTheLease() throws Exception {
        try (Lease lease = engine.hold()) {
            ledger.run(lease, "2026-01-01", work -> {
                work.checkpoint("page 7");
                return null;
            });
            LeaseRecord.Progress progress = engine.memory
                    .inspect(EngineFixture.JOB)
                    .orElseThrow()
                    .lease()
                    .progress();
            assertThat(progress).isNotNull();
            assertThat(progress.checkpoint()).isEqualTo(Checkpoint.of("page 7"));
        }
    }

    @Test
    void completionWhoseReplyWasLostIsNotRepeated() throws Exception {
        try (Lease lease = engine.hold()) {
            WorkOutcome outcome = ledger.run(lease, "2026-01-01", work -> {
                register.dropReplyOnce();
                return "once";
            });
            assertThat(outcome).isEqualTo(new WorkOutcome.Completed(item()));
            assertThat(register.faultsWaiting()).isZero();
        }
    }

    @Test
    void unavailableStoreIsReportedAndTheItemCanBeResumed() {
        try (Lease lease = engine.hold()) {
            assertThatThrownBy(() -> ledger.run(lease, "2026-01-01", work -> {
                        for (int i = 0; i < 5; i++) {
                            register.dropRequestOnce();
                        }
                        return "lost";
                    }))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(item().state()).isEqualTo(WorkState.RUNNING);
        }
    }

    @Test
    void runThatLostItsLeaseCompletesNothing() throws Exception {
        try (Lease lease = engine.hold()) {
            WorkOutcome outcome = ledger.run(lease, "2026-01-01", work -> {
                engine.network.failUntilHealed(StoreOperation.RENEW);
                engine.advance(Duration.ofMinutes(5));
                engine.network.heal();
                return "late";
            });
            assertThat(outcome).isInstanceOf(WorkOutcome.NotCompleted.class);
            assertThat(item().state()).isEqualTo(WorkState.RUNNING);
        }
    }

    @Test
    void workThatWasReplacedIsStoppedAtItsNextCheckpoint() {
        try (Lease lease = engine.hold()) {
            assertThatThrownBy(() -> ledger.run(lease, "2026-01-01", work -> {
                        engine.rival.takesOver();
                        Grant rival = Grant.bare(
                                EngineFixture.JOB, lease.grant().token().next());
                        assertThat(ledger.claim(rival, ID, null)).isInstanceOf(Claim.Claimed.class);
                        work.checkpoint("late");
                        return "late";
                    }))
                    .isInstanceOf(StaleWorkException.class);
            assertThat(item().state()).isEqualTo(WorkState.RUNNING);
            assertThat(item().epoch()).isEqualTo(2);
        }
    }

    /**
     * More than two months of slots: old done items are pruned, and no completion prunes many of
     * them.
     */
    @Test
    void completionsPruneOldItemsAFewAtATime() {
        ManualClock clock = new ManualClock();
        MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-0001"), clock);
        WorkLedger own = WorkLedger.over(store, engine.manual.timers());
        Grant grant = ((Acquisition.Granted) store.acquire(
                        EngineFixture.JOB, AttemptId.of("attempt-1"), Holder.of("us"), Duration.ofDays(366)))
                .grant();
        int slotsADay = 6;
        int most = 0;
        int kept = 0;
        for (int slot = 0; slot < slotsADay * 75; slot++) {
            clock.advance(Duration.ofHours(24 / slotsADay));
            Claim.Claimed claimed = (Claim.Claimed) own.claim(grant, WorkId.of("job", "slot-" + (1000 + slot)), null);
            own.complete(claimed.claim(), null);
            int left = own.list(EngineFixture.JOB, null, 1000).size();
            most = Math.max(most, kept + 1 - left);
            kept = left;
            if (slot == slotsADay * 29) {
                assertThat(left).as("no item is pruned early").isEqualTo(slot + 1);
            }
        }
        assertThat(most).as("pruned by one completion").isBetween(1, 8);
        assertThat(kept).isBetween(slotsADay * 30, slotsADay * 48);
    }

    @Test
    void otherInputForTheSameKeyIsRefused() throws Exception {
        try (Lease lease = engine.hold()) {
            ledger.run(lease, ID, Fingerprint.of("a"), work -> null);
            assertThatThrownBy(() -> ledger.run(lease, ID, Fingerprint.of("b"), work -> null))
                    .isInstanceOf(OtherInputException.class);
        }
    }

    @Test
    void storeThatWentBackInTimeGrantsNoClaim() {
        Lease lease = engine.hold();
        ledger.claim(lease.grant(), ID, null);
        MemoryLeaseStore restored = engine.freshStore();
        engine.replaceStore(restored);
        Grant twin = ((Acquisition.Granted) restored.acquire(
                        EngineFixture.JOB, AttemptId.of("after-the-restore"), Holder.of("twin"), Duration.ofMinutes(1)))
                .grant();
        Claim answer = ledger.claim(twin, ID, null);
        assertThat(answer).isInstanceOf(Claim.StoreWentBack.class);
        assertThat(((Claim.StoreWentBack) answer).explanation()).contains("leasehold repair job --above 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a#1", "tab\t", "caf\u00e9", "line\n"})
    void invalidKeysAreRefused(String key) {
        assertThatThrownBy(() -> WorkKey.of(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void messageNamesTheLimitsOfKeys() {
        assertThatThrownBy(() -> WorkKey.of("k".repeat(201))).hasMessageContaining("200");
        assertThatThrownBy(() -> WorkId.of("n".repeat(200), "k".repeat(191))).hasMessageContaining("390");
        assertThatThrownBy(() -> WorkResult.of("\ud83d")).hasMessageContaining("half a character");
        assertThat(WorkId.of("n".repeat(190), "k".repeat(200))).isNotNull();
    }

    private WorkItem item() {
        return ledger.find(ID).orElseThrow();
    }
}
