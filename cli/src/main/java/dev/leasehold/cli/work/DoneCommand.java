package dev.leasehold.cli.work;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
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

/** {@code leasehold done}: completes a work item. A second completion changes nothing. */
public final class DoneCommand implements Command {
    private static final Option RESULT =
            Option.of("result", "S", Kind.TEXT, "the result, at most 8 KB; returned when the key is run again");

    private static final Option EFFECT = Option.of(
                    "effect", "S", Kind.TEXT, "an effect to deliver later, at most 1 KB; see 'leasehold deliver'")
            .repeated();

    private static final String OPERATOR =
            "An operator completes the work of another holder with --as-operator --reason S";
    private static final Option AS_OPERATOR = Option.flag(
            "as-operator", "complete KEY of --name without a grant; the running attempt can then not complete it");
    private static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "with --as-operator: why; kept with the item");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("done", "complete a work item")
                .description(
                        """
                        Records that the work of KEY is done, so that it is not run again. Inside 'leasehold run --key',
                        key and grant come from the environment. A token alone is refused: everybody can read it in
                        'leasehold status'. Repeating a completion is harmless. Exit 13 if the token is stale or another
                        run has claimed the key; then nothing was changed.""")
                .positional(Positional.optional("KEY", Kind.WORK_KEY))
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(SharedOptions.GRANT)
                .option(RESULT)
                .option(EFFECT)
                .option(AS_OPERATOR)
                .option(REASON)
                .option(SharedOptions.HOLDER)
                .example("leasehold done 2026-01-01 --grant \"$grant\" --result 'page 90'");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (arguments.has(AS_OPERATOR)) {
            return new OperatorCompletion(invocation)
                    .run(
                            arguments.value(RESULT, WorkResult::of),
                            arguments.value(REASON, Note::of),
                            arguments.has(EFFECT));
        }
        if (arguments.has(REASON) || arguments.has(SharedOptions.HOLDER)) {
            throw new UsageException("--reason and --holder need --as-operator");
        }
        Grant grant = ShownGrant.wholeOfOptions(invocation, OPERATOR);
        WorkId id = CurrentWork.id(invocation, grant, arguments.positional(0));
        WorkResult result = arguments.value(RESULT, WorkResult::of);
        List<String> effects = Effect.requireBodies(arguments.all(EFFECT));
        try (LeaseStore store = invocation.openStore()) {
            WorkLedger ledger = WorkLedger.over(store);
            Optional<WorkClaim> own = ledger.claimOf(grant, id);
            if (own.isPresent()) {
                return report(invocation, grant, ledger.complete(own.get(), result, effects));
            }
            Claim claim = ledger.claim(grant, id, null);
            if (claim instanceof Claim.Claimed claimed) {
                return report(invocation, grant, ledger.complete(claimed.claim(), result, effects));
            }
            if (claim instanceof Claim.AlreadyDone done) {
                return reportDone(invocation, grant, done.item(), lossOf(store, grant));
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

    private static int report(Invocation invocation, Grant grant, WorkStep step) {
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
                .say("key " + item.id().key() + " is done" + (repeated ? ": this token has already completed it" : ""));
        return ExitCode.OK;
    }

    /**
     * Another run completed the item. That is a success for the current holder, and too late for
     * any other token.
     */
    private static int reportDone(Invocation invocation, Grant grant, WorkItem item, @Nullable Loss loss) {
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
                .say("key " + item.id().key() + " was already done, " + WorkViews.by(item)
                        + "; its result is unchanged");
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
        invocation.console().error("not completed; nothing was changed: " + explanation);
        return ExitCode.STALE;
    }
}
