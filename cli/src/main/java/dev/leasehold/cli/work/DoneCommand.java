package dev.leasehold.cli.work;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Claim;
import dev.leasehold.work.Effect;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkStep;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code leasehold done}: completes a work item, at most once ever. */
public final class DoneCommand implements Command {
    private static final Option RESULT = Option.of(
            "result", "S", Kind.TEXT, "what came of it, at most 8 KB; handed back when the key is asked for again");

    private static final Option EFFECT = Option.of(
                    "effect",
                    "S",
                    Kind.TEXT,
                    "something that has to follow, at most 1 KB; stored in the same step, see 'leasehold deliver'")
            .repeated();

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("done", "complete a work item")
                .description(
                        """
                        Records that the work of KEY is done: it will not be run again. Inside 'leasehold run --key' key, name and
                        token come from the environment. The same completion again is harmless. Exit 13 if the token is stale or
                        somebody else is at the key: then nothing was changed.""")
                .positional(Positional.optional("KEY", Kind.TEXT))
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(RESULT)
                .option(EFFECT)
                .example("leasehold done 2026-01-01 --name daily-publish --token 42 --result 'page 90'");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Grant grant = ShownGrant.ofOptions(invocation);
        WorkId id = CurrentWork.id(invocation, grant, arguments.positional(0));
        WorkResult result = arguments.value(RESULT, WorkResult::of);
        List<String> effects = Effect.requireBodies(arguments.all(EFFECT));
        try (LeaseStore store = invocation.openStore()) {
            WorkLedger ledger = WorkLedger.over(store);
            Optional<WorkClaim> own = ledger.claimOf(grant, id);
            if (own.isPresent()) {
                return tell(invocation, grant, ledger.complete(own.get(), result, effects));
            }
            Claim claim = ledger.claim(grant, id, null);
            if (claim instanceof Claim.Claimed claimed) {
                return tell(invocation, grant, ledger.complete(claimed.claim(), result, effects));
            }
            if (claim instanceof Claim.AlreadyDone done) {
                return tellDone(invocation, grant, done.item(), lossOf(store, grant));
            }
            return refused(invocation, grant, id, ((Claim.Refused) claim).explanation());
        }
    }

    private static @Nullable Loss lossOf(LeaseStore store, Grant grant) {
        Optional<LeaseSnapshot> lease = store.inspect(grant.name());
        return lease.isEmpty()
                ? Loss.Forgotten.neverIssued(grant)
                : lease.get().lease().lossOf(grant, lease.get().at());
    }

    private static int tell(Invocation invocation, Grant grant, WorkStep step) {
        if (step instanceof WorkStep.Stale stale) {
            return refused(invocation, grant, stale.shown().id(), stale.explanation());
        }
        boolean repeated = step instanceof WorkStep.Repeated;
        WorkItem item = repeated ? ((WorkStep.Repeated) step).item() : ((WorkStep.Accepted) step).item();
        if (invocation.json()) {
            invocation
                    .console()
                    .print(WorkViews.json(item)
                            .put("outcome", repeated ? "repeated" : "completed")
                            .toString());
        }
        invocation
                .console()
                .say("key " + item.id().key() + " is done"
                        + (repeated ? ": it was completed by this very token before, and stays as it is" : ""));
        return ExitCode.OK;
    }

    /** Somebody else completed it: fine for whoever holds the lease now, too late for everybody else. */
    private static int tellDone(Invocation invocation, Grant grant, WorkItem item, @Nullable Loss loss) {
        if (loss != null) {
            return refused(
                    invocation,
                    grant,
                    item.id(),
                    "token " + grant.token() + " is not current: " + loss.explanation() + "; the key is done");
        }
        if (invocation.json()) {
            invocation
                    .console()
                    .print(WorkViews.json(item).put("outcome", "already-done").toString());
        }
        invocation
                .console()
                .say("key " + item.id().key() + " was done before, " + WorkViews.by(item)
                        + "; its result stays as it is");
        return ExitCode.OK;
    }

    private static int refused(Invocation invocation, Grant grant, WorkId id, String explanation) {
        if (invocation.json()) {
            invocation
                    .console()
                    .print(JsonViews.outcome("stale", grant)
                            .put("key", id.key())
                            .put("detail", explanation)
                            .toString());
        }
        invocation.console().error("not completed, nothing was changed: " + explanation);
        return ExitCode.STALE;
    }
}
