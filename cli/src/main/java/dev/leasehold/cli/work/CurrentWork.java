package dev.leasehold.cli.work;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkStep;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The work item of the {@code run --key} in which a command was called. */
public final class CurrentWork {
    private CurrentWork() {}

    /** Stores a checkpoint of the work item and returns the exit code. */
    public static int checkpoint(Invocation invocation, LeaseStore store, Grant grant, Checkpoint checkpoint) {
        WorkId id = id(invocation, grant, null);
        WorkLedger ledger = WorkLedger.over(store);
        Optional<WorkClaim> claim = ledger.claimOf(grant, id);
        if (claim.isPresent() && !(ledger.checkpoint(claim.get(), checkpoint) instanceof WorkStep.Stale)) {
            return ExitCode.OK;
        }
        invocation
                .console()
                .error("the lease is current, but key " + id.key()
                        + " is not claimed under it; its checkpoint was not stored");
        return ExitCode.NOT_CURRENT;
    }

    /** The item of the given key, or of the key in the environment if none is given. */
    static WorkId id(Invocation invocation, Grant grant, @Nullable String given) {
        if (given != null) {
            return id(invocation, grant, given, "KEY");
        }
        String own = invocation.env(CommandEnvironment.KEY);
        if (own == null) {
            throw new UsageException("no work key: give KEY, or set " + CommandEnvironment.KEY);
        }
        return id(invocation, grant, own, CommandEnvironment.KEY);
    }

    private static WorkId id(Invocation invocation, Grant grant, String keyText, String where) {
        String name = invocation.env(CommandEnvironment.WORK);
        boolean ours = grant.name().value().equals(invocation.env(ShownGrant.NAME_VARIABLE));
        try {
            LeaseName of = name == null || !ours ? grant.name() : LeaseName.of(name);
            return new WorkId(of, WorkKey.of(keyText));
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(where, keyText, e);
        }
    }
}
