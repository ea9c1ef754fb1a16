package dev.leasehold.work;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.model.Checkpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A work item in the hands of the run that claimed it. Safe for use by the threads of that run. */
public final class OngoingWork {
    private final WorkLedger ledger;
    private final Lease lease;
    private final Claim.Claimed claimed;
    private final List<String> effects = new ArrayList<>();

    OngoingWork(WorkLedger ledger, Lease lease, Claim.Claimed claimed) {
        this.ledger = ledger;
        this.lease = lease;
        this.claimed = claimed;
    }

    public Lease lease() {
        return lease;
    }

    /** The item as it was claimed. */
    public WorkItem item() {
        return claimed.item();
    }

    public WorkClaim claim() {
        return claimed.claim();
    }

    /** Which try of the key this is, from 1. */
    public int attempt() {
        return item().attempts();
    }

    /** Where the run before this one got to, if it said so. */
    public Optional<Checkpoint> checkpoint() {
        return Optional.ofNullable(item().checkpoint());
    }

    /**
     * Records where the work got to, and that it gets on.
     *
     * @throws StaleWorkException if somebody else has claimed the key: this run must stop
     */
    public void checkpoint(String text) {
        Checkpoint checkpoint = Checkpoint.of(text);
        if (ledger.checkpoint(claim(), checkpoint) instanceof WorkStep.Stale stale) {
            lease.reportStale(stale.explanation());
            throw new StaleWorkException(stale);
        }
        lease.progress(null, checkpoint);
    }

    /** Declares something that has to follow once the item is completed, and only then. */
    public synchronized void thenDeliver(String effect) {
        effects.add(Effect.requireBody(effect));
    }

    /**
     * For the places where going on without the lease would be wrong.
     *
     * @throws LeaseLostException if the lease is not trusted any more
     */
    public void requireTrusted() {
        lease.requireTrusted();
    }

    synchronized List<String> effects() {
        return List.copyOf(effects);
    }
}
