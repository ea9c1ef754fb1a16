package dev.leasehold.work;

import dev.leasehold.Lease;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of a key, from the claim to the completion. */
final class WorkRun {
    private static final Duration RETRY = Duration.ofMillis(50);
    private static final int MAX_TRIES = 5;

    private final WorkLedger ledger;
    private final Lease lease;
    private final Timers timers;

    WorkRun(WorkLedger ledger, Lease lease, Timers timers) {
        this.ledger = ledger;
        this.lease = lease;
        this.timers = timers;
    }

    WorkOutcome run(WorkId id, @Nullable Fingerprint input, Work work) throws Exception {
        Claim claim = ledger.claim(lease.grant(), id, input);
        if (claim instanceof Claim.Claimed claimed) {
            return run(new OngoingWork(ledger, lease, claimed), work);
        }
        if (claim instanceof Claim.OtherInput other) {
            throw new OtherInputException(other);
        }
        return claim instanceof Claim.AlreadyDone done
                ? new WorkOutcome.AlreadyDone(done.item())
                : new WorkOutcome.NotRun((Claim.Refused) claim);
    }

    private WorkOutcome run(OngoingWork ongoing, Work work) throws Exception {
        WorkResult result;
        List<String> effects;
        try {
            String text = work.run(ongoing);
            result = text == null ? null : WorkResult.of(text);
            effects = ongoing.effects();
        } catch (Exception | Error e) {
            giveUp(ongoing.claim(), e);
            throw e;
        }
        if (!lease.isTrusted()) {
            return new WorkOutcome.NotCompleted("the lease was lost while the work ran");
        }
        WorkStep step = complete(ongoing.claim(), result, effects);
        if (step instanceof WorkStep.Stale stale) {
            lease.reportStale(stale.explanation());
            return new WorkOutcome.NotCompleted(stale.explanation());
        }
        return new WorkOutcome.Completed(
                step instanceof WorkStep.Accepted accepted ? accepted.item() : ((WorkStep.Repeated) step).item());
    }

    /** Retries, because the work would be done again if its completion were lost. */
    private WorkStep complete(WorkClaim claim, @Nullable WorkResult result, List<String> effects)
            throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return ledger.complete(claim, result, effects);
            } catch (StoreUnavailableException e) {
                if (tries == MAX_TRIES || !lease.isTrusted()) {
                    throw e;
                }
                timers.sleep(RETRY.multipliedBy(tries));
            }
        }
    }

    /**
     * Best effort: the next owner of the lease resumes the item even if its failure was not
     * recorded.
     */
    @SuppressWarnings("CatchingUnchecked")
    private void giveUp(WorkClaim claim, Throwable cause) {
        // An interrupted thread must still be able to record its failure.
        boolean interrupted = Thread.interrupted();
        try {
            ledger.fail(claim, Note.clipped(String.valueOf(cause)));
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
