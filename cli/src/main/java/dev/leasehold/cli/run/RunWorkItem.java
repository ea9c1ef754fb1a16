package dev.leasehold.cli.run;

import dev.leasehold.Lease;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.work.Claim;
import dev.leasehold.work.Fingerprint;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The work item of {@code run --key}: claimed before the command starts, completed or failed after
 * it ended. A run without a key never loads this class.
 */
final class RunWorkItem {
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final int MAX_TRIES = 5;

    private final WorkId id;
    private final @Nullable Fingerprint input;
    private final WorkLedger ledger;
    private final Timers timers;
    private Claim.@Nullable Claimed claimed;

    RunWorkItem(Arguments arguments, LeaseStore store, Timers timers) {
        this.id = id(arguments);
        this.input = input(arguments);
        this.ledger = WorkLedger.over(store, timers);
        this.timers = timers;
    }

    /**
     * The item that the options name. The key belongs to the first lease name, whichever lease the
     * run acquires.
     */
    static WorkId id(Arguments arguments) {
        WorkKey key = arguments.value(RunCommand.KEY, WorkKey::of);
        if (key == null) {
            throw new UsageException("--key is missing");
        }
        // Read here as well, so that a bad fingerprint is refused before the store is opened.
        input(arguments);
        try {
            return new WorkId(RunOptions.name(arguments), key);
        } catch (UsageException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable Fingerprint input(Arguments arguments) {
        return arguments.value(RunCommand.FINGERPRINT, Fingerprint::of);
    }

    /**
     * The exit code if the item is done already, otherwise null. Called before the lease is
     * acquired.
     */
    @Nullable
    Integer doneBefore(RunReport report) {
        WorkItem item = ledger.find(id).orElse(null);
        return item != null && item.state() == WorkState.DONE && !isOtherInput(item) ? report.alreadyDone(item) : null;
    }

    private boolean isOtherInput(WorkItem item) {
        return input != null && item.fingerprint() != null && !input.equals(item.fingerprint());
    }

    /** Claims the item. The exit code if the command must not start, otherwise null. */
    @Nullable
    Integer claim(Lease lease, RunReport report) {
        Claim claim = ledger.claim(lease.grant(), id, input);
        if (claim instanceof Claim.Claimed success) {
            claimed = success;
            return null;
        }
        lease.close();
        return claim instanceof Claim.AlreadyDone done
                ? report.alreadyDone(done.item())
                : report.notClaimed(lease, (Claim.Refused) claim);
    }

    void addTo(Map<String, String> variables) {
        WorkItem item = claimed().item();
        variables.put(CommandEnvironment.KEY, item.id().key().value());
        variables.put(CommandEnvironment.WORK, item.id().name().value());
        variables.put(CommandEnvironment.ATTEMPT, Integer.toString(item.attempts()));
        Checkpoint checkpoint = item.checkpoint();
        if (checkpoint != null) {
            variables.put(CommandEnvironment.CHECKPOINT, checkpoint.value());
        }
    }

    /**
     * Completes the item while the lease is held. Null if it is now done, otherwise why it is not.
     */
    @Nullable
    String complete(Lease lease) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return ledger.complete(claimed().claim(), null) instanceof WorkStep.Stale stale
                        ? stale.explanation()
                        : null;
            } catch (StoreUnavailableException e) {
                if (tries == MAX_TRIES || !lease.isTrusted()) {
                    throw new StoreUnavailableException(
                            "the command succeeded, but it is unknown whether key " + id.key()
                                    + " is recorded as done, so the next run may repeat it: " + e.getMessage(),
                            e);
                }
                timers.sleep(RETRY);
            }
        }
    }

    /**
     * Records that the attempt failed. Best effort: the key is tried again even if this cannot be
     * recorded.
     */
    void fail(String why) {
        WorkClaim claim = claimed().claim();
        try {
            ledger.fail(claim, Note.clipped(why));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "the failure was not recorded", e);
        }
    }

    private Claim.Claimed claimed() {
        if (claimed == null) {
            throw new IllegalStateException("the work item was not claimed");
        }
        return claimed;
    }
}
