package dev.leasehold.cli.work;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.WorkEnvironment;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkStep;
import java.util.Optional;

/** A checkpoint of the work item that the run around this command is about. */
public final class CurrentWork {
    private CurrentWork() {}

    /** Returns the exit code. */
    public static int note(Invocation invocation, LeaseStore store, Grant grant, Checkpoint checkpoint) {
        WorkId id = WorkEnvironment.idOf(invocation, grant, null);
        WorkLedger ledger = WorkLedger.over(store);
        Optional<WorkClaim> claim = ledger.claimOf(grant, id);
        if (claim.isPresent() && !(ledger.checkpoint(claim.get(), checkpoint) instanceof WorkStep.Stale)) {
            return ExitCode.OK;
        }
        invocation
                .console()
                .error("the lease is current, but key " + id.key()
                        + " is not being done under it: its checkpoint was not kept");
        return ExitCode.NOT_CURRENT;
    }
}
