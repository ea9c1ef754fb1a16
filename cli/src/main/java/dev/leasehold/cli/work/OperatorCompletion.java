package dev.leasehold.cli.work;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@code done --as-operator}: completes a key without a grant. The epoch rises, so the attempt that
 * may still run cannot complete it, and the log of runs keeps the operator and the reason.
 */
final class OperatorCompletion {
    private final Invocation invocation;

    OperatorCompletion(Invocation invocation) {
        this.invocation = invocation;
    }

    int run(@Nullable WorkResult result, @Nullable Note reason, boolean effects) {
        Arguments arguments = invocation.arguments();
        LeaseName name = arguments.leaseName(SharedOptions.NAME);
        String key = arguments.positional(0);
        if (name == null || key == null || reason == null) {
            throw new UsageException("--as-operator needs KEY, --name NAME and --reason S");
        }
        if (effects || arguments.has(SharedOptions.TOKEN) || arguments.has(SharedOptions.GRANT)) {
            throw new UsageException("--as-operator cannot be used with --token, --grant or --effect");
        }
        WorkId id = id(name, key);
        Holder given = SharedOptions.holder(invocation);
        Holder operator = given == null ? SystemContext.defaultHolder(new SystemIds()) : given;
        try (LeaseStore store = invocation.openStore()) {
            WorkLedger ledger = WorkLedger.over(store);
            boolean doneBefore = ledger.find(id)
                    .filter(item -> item.state() == WorkState.DONE)
                    .isPresent();
            WorkItem item = ledger.completeAsOperator(id, result, reason)
                    .orElseThrow(() -> new UsageException("the ledger does not know key " + id.key() + " of "
                            + id.name() + "; nothing was changed. 'leasehold work --name " + id.name()
                            + "' lists the keys"));
            if (!doneBefore) {
                RunEntry entry = new RunEntry(
                        item.since(),
                        "done_by_operator",
                        null,
                        operator,
                        Duration.ZERO,
                        "key " + id.key() + ": " + reason);
                new RunLog(store.register()).append(name, entry);
            }
            return report(item, doneBefore);
        }
    }

    private static WorkId id(LeaseName name, String key) {
        try {
            return new WorkId(name, WorkKey.of(key));
        } catch (IllegalArgumentException e) {
            throw Arguments.bad("KEY", key, e);
        }
    }

    private int report(WorkItem item, boolean doneBefore) {
        if (invocation.json()) {
            invocation
                    .console()
                    .print(WorkViews.json(item)
                            .put("outcome", doneBefore ? "already-done" : "completed")
                            .toString());
        }
        invocation
                .console()
                .say("key " + item.id().key()
                        + (doneBefore
                                ? " was already done, " + WorkViews.by(item) + "; nothing was changed"
                                : " is done; an attempt that still runs can no longer complete it"));
        return ExitCode.OK;
    }
}
