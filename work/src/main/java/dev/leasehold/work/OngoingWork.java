package dev.leasehold.work;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.model.Checkpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A work item during the run that claimed it. Safe for use by the threads of that run. */
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

    /** The number of this attempt at the key, from 1. */
    public int attempt() {
        return item().attempts();
    }

    /** The last checkpoint of the previous run, if there is one. */
    public Optional<Checkpoint> checkpoint() {
        return Optional.ofNullable(item().checkpoint());
    }

    /**
     * Records how far the work has come, and reports progress.
     *
     * @throws StaleWorkException if another run has claimed the key; this run must stop
     */
    public void checkpoint(String text) {
        Checkpoint checkpoint = Checkpoint.of(text);
        if (ledger.checkpoint(claim(), checkpoint) instanceof WorkStep.Stale stale) {
            lease.reportStale(stale.explanation());
            throw new StaleWorkException(stale);
        }
        lease.progress(null, checkpoint);
    }

    /** Declares an effect to deliver when the item is completed, and only then. */
    public synchronized void thenDeliver(String effect) {
        effects.add(Effect.requireBody(effect));
    }

    /**
     * Stops work that must not continue without the lease.
     *
     * @throws LeaseLostException if the lease is no longer trusted
     */
    public void requireTrusted() {
        lease.requireTrusted();
    }

    synchronized List<String> effects() {
        return List.copyOf(effects);
    }
}
