package dev.leasehold.simulator.soak;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Claim;
import dev.leasehold.work.StaleWorkException;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkOutcome;
import dev.leasehold.work.WorkStep;
import java.time.Duration;
import java.util.Optional;

/**
 * One round of one worker: acquire the lease, do one of the things that happen to leases, and check
 * what must hold.
 */
final class SoakRound {
    private static final long POLL_MILLIS = 20;
    private static final int MAX_WRITES = 3;
    private static final Note REASON = Note.of("soak");

    private final SoakClient mine;
    private final SoakClient other;
    private final Ids ids;
    private final LeaseTerms terms;
    private final Duration patience;
    private final WorkKey key;
    private final Tally tally;

    SoakRound(SoakClient mine, SoakClient other, Ids ids, LeaseTerms terms, WorkKey key, Tally tally) {
        this.mine = mine;
        this.other = other;
        this.ids = ids;
        this.terms = terms;
        this.patience = terms.ttl().dividedBy(2);
        this.key = key;
        this.tally = tally;
    }

    void play(ContestedName contested) throws Exception {
        if (ids.below(10) == 0) {
            useNameOnce();
            return;
        }
        long before = contested.highest();
        Optional<Lease> lease =
                mine.leases().acquireWithin(contested.name(), terms, patience).lease();
        if (lease.isPresent()) {
            contested.granted(lease.get().grant(), before);
            try (Lease held = lease.get()) {
                if (contested.raise(held.grant())) {
                    work(contested, held);
                }
            }
        }
    }

    private void work(ContestedName contested, Lease lease) throws Exception {
        long random = ids.below(100);
        if (random < 55) {
            for (long i = ids.below(MAX_WRITES); i >= 0; i--) {
                contested.addOne(lease.grant());
            }
        } else if (random < 65) {
            holdAndRenew(contested, lease);
        } else if (random < 85) {
            completeAnItem(lease);
        } else if (random < 95) {
            writeAfterTakeover(contested, lease);
        } else {
            contested.addOne(lease.grant());
            // Abandoned without a release, as after a crash: the next worker waits until the lease
            // expires.
            lease.detach();
            tally.count("left_to_expire");
        }
    }

    private void holdAndRenew(ContestedName contested, Lease lease) throws InterruptedException {
        Thread.sleep(terms.heartbeat().multipliedBy(2).toMillis());
        contested.addOne(lease.grant());
        tally.count("held_over_renewals");
    }

    private void completeAnItem(Lease lease) throws Exception {
        WorkId id = new WorkId(lease.grant().name(), key);
        try {
            WorkOutcome first = mine.ledger().run(lease, id, null, work -> {
                work.checkpoint("half");
                return "done";
            });
            if (first instanceof WorkOutcome.Completed) {
                tally.count("items_completed");
                WorkOutcome second = mine.ledger().run(lease, id, null, work -> "done twice");
                if (second instanceof WorkOutcome.Completed) {
                    tally.failed("work item " + id + " was completed twice");
                }
            }
        } catch (StaleWorkException | LeaseLostException e) {
            tally.count("items_lost");
        }
        mine.ledger().forget(id);
    }

    /** Loses the lease to a takeover, keeps writing, and must be refused everywhere. */
    private void writeAfterTakeover(ContestedName contested, Lease lease) throws Exception {
        WorkId id = new WorkId(contested.name(), key);
        Claim claim = mine.ledger().claim(lease.grant(), id, null);
        long before = contested.highest();
        Optional<Lease> successor = other.leases()
                .takeOver(contested.name(), terms, lease.grant().token(), AttemptId.of(ids.unique()), REASON);
        long taken = System.nanoTime();
        if (successor.isEmpty()) {
            return;
        }
        try (Lease next = successor.get()) {
            contested.granted(next.grant(), before);
            if (contested.raise(next.grant())) {
                contested.addOne(next.grant());
            }
            contested.writeStale(lease.grant());
            if (claim instanceof Claim.Claimed claimed) {
                WorkStep late = mine.ledger().complete(claimed.claim(), null);
                if (late instanceof WorkStep.Stale) {
                    tally.count("stale_completions_refused");
                } else {
                    tally.failed("a stale completion was accepted: " + id + " under " + lease.grant());
                }
            }
        }
        mine.ledger().forget(id);
        awaitDistrust(lease, taken);
    }

    /**
     * Waits until the holder no longer trusts its lease. Nothing can extend trust after a takeover,
     * so it must end within the ttl.
     */
    private void awaitDistrust(Lease lease, long taken) throws InterruptedException {
        while (lease.isTrusted()) {
            if (System.nanoTime() - taken > terms.ttl().toNanos()) {
                tally.failed(lease.grant() + " is still trusted by its holder a whole ttl after it was taken over");
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
        tally.count("losses_noticed");
    }

    /** Uses a new name once and erases it, so that nothing of it may be left. */
    private void useNameOnce() throws InterruptedException {
        LeaseName name = LeaseName.of(LeaseStore.SCRATCH_PREFIX + "soak/" + ids.unique());
        AcquireResult attempt = mine.leases().acquireWithin(name, terms, patience);
        attempt.lease().ifPresent(Lease::close);
        mine.store().eraseScratch(name);
        tally.count("passing_names");
    }
}
