package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkStep;
import org.junit.jupiter.api.BeforeEach;

/** A ledger over the store under test, with items, claims and assertions for its tests. */
abstract class WorkLedgerFixture extends StoreFixture {
    WorkLedger ledger;

    WorkLedgerFixture(StoreContract contract) {
        super(contract);
    }

    @BeforeEach
    void openLedger() {
        ledger = WorkLedger.over(store);
    }

    final WorkId item(String name) {
        return new WorkId(name(name), WorkKey.of("2026-01-01"));
    }

    /**
     * Takes the lease over from its holder, as an operator would, so that no test waits for a ttl.
     */
    final Grant next(LeaseName name) {
        return granted(store.intervene(takeover(name, attempt()))).grant();
    }

    final Claim.Claimed claim(Grant grant, WorkId id) {
        return claimed(ledger.claim(grant, id, null));
    }

    /** On a busy machine a short lease may be over before the claim; then the next one is claimed under. */
    final WorkClaim claimUnderShortLease(WorkId id) {
        Claim answer = ledger.claim(grantShort(id.name(), ALICE), id, null);
        for (int i = 0; i < 100 && answer instanceof Claim.NotCurrent; i++) {
            answer = ledger.claim(grantShort(id.name(), ALICE), id, null);
        }
        return claimed(answer).claim();
    }

    final WorkItem current(WorkId id) {
        return ledger.find(id).orElseThrow(() -> new AssertionError("the ledger has no item " + id));
    }

    static Claim.Claimed claimed(Claim answer) {
        assertThat(answer).isInstanceOf(Claim.Claimed.class);
        return (Claim.Claimed) answer;
    }

    static WorkItem accepted(WorkStep answer) {
        assertThat(answer).isInstanceOf(WorkStep.Accepted.class);
        return ((WorkStep.Accepted) answer).item();
    }

    static WorkItem repeated(WorkStep answer) {
        assertThat(answer).isInstanceOf(WorkStep.Repeated.class);
        return ((WorkStep.Repeated) answer).item();
    }

    final void assertStale(WorkStep answer, WorkId id) {
        assertThat(answer).isInstanceOf(WorkStep.Stale.class);
        assertThat(((WorkStep.Stale) answer).current())
                .as("the answer to a stale step carries the current item")
                .isEqualTo(ledger.find(id).orElse(null));
        assertThat(((WorkStep.Stale) answer).explanation()).contains(id.key().value());
    }
}
