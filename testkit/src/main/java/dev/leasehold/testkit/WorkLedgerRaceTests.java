package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lost replies and concurrent owners. Part of {@link WorkLedgerContract}. */
abstract class WorkLedgerRaceTests extends WorkLedgerFixture {
    private static final int RACERS = 4;
    private static final int ROUNDS = 5;

    WorkLedgerRaceTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void retryOfAClaimWhoseReplyWasLostReturnsTheSameClaim() {
        WorkId id = item("lost-claim");
        Grant grant = grantLong(id.name(), ALICE);
        FaultyRegister network = new FaultyRegister(store.register());
        WorkLedger remote = ledger.through(network);
        network.dropReplyOnce();
        assertThatThrownBy(() -> remote.claim(grant, id, null)).isInstanceOf(StoreUnavailableException.class);

        Claim.Claimed again = claimed(remote.claim(grant, id, null));

        assertThat(again.item().attempts()).isEqualTo(1);
        assertThat(again.claim().epoch()).isEqualTo(1);
        network.dropRequestOnce();
        assertThatThrownBy(() -> remote.checkpoint(again.claim(), Checkpoint.of("lost")))
                .isInstanceOf(StoreUnavailableException.class);
        accepted(remote.checkpoint(again.claim(), Checkpoint.of("kept")));
        assertThat(network.faultsWaiting()).isZero();
    }

    @Test
    void retriedCompletionAndFailureAreReportedAsRepeated() {
        WorkId id = item("lost-completion");
        Grant grant = grantLong(id.name(), ALICE);
        FaultyRegister network = new FaultyRegister(store.register());
        WorkLedger remote = ledger.through(network);
        WorkClaim failing = claim(grant, id).claim();
        network.dropReplyOnce();
        assertThatThrownBy(() -> remote.fail(failing, Note.of("first"))).isInstanceOf(StoreUnavailableException.class);
        assertThat(repeated(remote.fail(failing, Note.of("second"))).lastError())
                .isEqualTo(Note.of("first"));

        WorkClaim claim = claim(grant, id).claim();
        network.dropReplyOnce();
        assertThatThrownBy(() -> remote.complete(claim, WorkResult.of("one")))
                .isInstanceOf(StoreUnavailableException.class);
        WorkItem done = repeated(remote.complete(claim, WorkResult.of("two")));

        assertThat(done.result()).isEqualTo(WorkResult.of("one"));
        assertThat(current(id)).isEqualTo(done);
        // Also after the run released its lease: it asks about its own completion.
        store.release(grant, Duration.ZERO);
        repeated(remote.complete(claim, WorkResult.of("three")));
        next(id.name());
        repeated(remote.complete(claim, WorkResult.of("four")));
        assertThat(network.faultsWaiting()).isZero();
    }

    /**
     * Owners replace each other quickly and do not notice: each claims the key and completes it
     * later.
     */
    @Test
    void oneOfManyOwnersCompletes() throws Exception {
        List<WorkLedger> ledgers = new ArrayList<>();
        List<LeaseStore> clients = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            clients.add(client());
            ledgers.add(WorkLedger.over(clients.get(i)));
        }
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                WorkId id = item("race-" + round);
                List<WorkStep> steps = racers.race(i -> {
                    Grant grant = granted(clients.get(i).intervene(takeover(id.name(), attempt())))
                            .grant();
                    Claim claim = ledgers.get(i).claim(grant, id, null);
                    return claim instanceof Claim.Claimed claimed
                            ? ledgers.get(i).complete(claimed.claim(), WorkResult.of("racer " + i))
                            : new WorkStep.Stale(new WorkClaim(id, grant, 0), null, null);
                });
                assertThat(steps)
                        .filteredOn(WorkStep.Accepted.class::isInstance)
                        .hasSizeLessThanOrEqualTo(1);
                assertCompletesOnce(id, steps);
            }
        }
    }

    /** If all racers were replaced, the current owner of the lease can still complete the key. */
    private void assertCompletesOnce(WorkId id, List<WorkStep> steps) {
        for (int i = 0; i < RACERS; i++) {
            if (steps.get(i) instanceof WorkStep.Accepted accepted) {
                assertThat(accepted.item().result()).isEqualTo(WorkResult.of("racer " + i));
                assertThat(current(id)).isEqualTo(accepted.item());
                return;
            }
        }
        accepted(ledger.complete(claim(next(id.name()), id).claim(), null));
        assertThat(current(id).state()).isEqualTo(WorkState.DONE);
    }

    /** Many threads share one lease and one claim, and one of them completes the key. */
    @Test
    void threadsOfOneGrantCompleteOnce() throws Exception {
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                WorkId id = item("threads-" + round);
                Grant grant = grantLong(id.name(), ALICE);
                List<WorkStep> steps = racers.race(i -> {
                    Claim claim = ledger.claim(grant, id, null);
                    return claim instanceof Claim.Claimed claimed
                            ? ledger.complete(claimed.claim(), WorkResult.of("thread " + i))
                            : new WorkStep.Repeated(((Claim.AlreadyDone) claim).item());
                });
                assertThat(steps)
                        .filteredOn(WorkStep.Accepted.class::isInstance)
                        .hasSize(1);
                assertThat(current(id).attempts()).isEqualTo(1);
            }
        }
    }
}
