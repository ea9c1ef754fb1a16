package dev.leasehold.cli.run;

import dev.leasehold.Lease;
import dev.leasehold.cli.leased.WorkEnvironment;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The work item of a {@code run --key}: claimed before the command starts, completed or given up after it ended. */
public final class RunWorkItem {
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final int MAX_TRIES = 5;

    private final WorkPlan plan;
    private final WorkLedger ledger;
    private final Timers timers;
    private Claim.@Nullable Claimed claimed;

    RunWorkItem(WorkPlan plan, LeaseStore store, Timers timers) {
        this.plan = plan;
        this.ledger = WorkLedger.over(store, timers);
        this.timers = timers;
    }

    /** The exit code if there is nothing to do, null otherwise. Asked before the lease is, which then stays as it is. */
    @Nullable
    Integer settledBefore(RunReport report) {
        WorkItem item = ledger.find(plan.id()).orElse(null);
        return item != null && item.state() == WorkState.DONE && !isOtherInput(item) ? report.alreadyDone(item) : null;
    }

    private boolean isOtherInput(WorkItem item) {
        return plan.input() != null
                && item.fingerprint() != null
                && !plan.input().equals(item.fingerprint());
    }

    /** The exit code if the command must not be started, null otherwise. */
    @Nullable
    Integer refusedUnder(Lease lease, RunReport report) {
        Claim claim = ledger.claim(lease.grant(), plan.id(), plan.input());
        if (claim instanceof Claim.Claimed success) {
            claimed = success;
            return null;
        }
        lease.close();
        return claim instanceof Claim.AlreadyDone done
                ? report.alreadyDone(done.item())
                : report.notClaimed(lease, (Claim.Refused) claim);
    }

    public void addTo(Map<String, String> variables) {
        WorkItem item = claimed().item();
        variables.put(WorkEnvironment.KEY, item.id().key().value());
        variables.put(WorkEnvironment.WORK, item.id().name().value());
        variables.put(WorkEnvironment.ATTEMPT, Integer.toString(item.attempts()));
        Checkpoint checkpoint = item.checkpoint();
        if (checkpoint != null) {
            variables.put(WorkEnvironment.CHECKPOINT, checkpoint.value());
        }
    }

    /**
     * Completes the item, while the lease is still held. Null if it is done now, by us or by the command itself; otherwise why
     * not.
     */
    @Nullable
    public String complete(Lease lease) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return ledger.complete(claimed().claim(), null) instanceof WorkStep.Stale stale
                        ? stale.explanation()
                        : null;
            } catch (StoreUnavailableException e) {
                if (tries == MAX_TRIES || !lease.isTrusted()) {
                    throw new StoreUnavailableException(
                            "the command ended well, but whether key "
                                    + plan.id().key()
                                    + " is recorded as done is unknown, so the next run may do it again: "
                                    + e.getMessage(),
                            e);
                }
                timers.sleep(RETRY);
            }
        }
    }

    /** Best effort: a key whose failure could not be noted is tried again all the same. */
    public void giveUp(String why) {
        WorkClaim claim = claimed().claim();
        try {
            ledger.fail(claim, Note.clipped(why));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "the failure was not noted", e);
        }
    }

    private Claim.Claimed claimed() {
        if (claimed == null) {
            throw new IllegalStateException("the work item was not claimed");
        }
        return claimed;
    }
}
