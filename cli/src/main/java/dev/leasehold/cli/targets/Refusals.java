package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Handles a grant that a target refused: reports it, records it for {@code explain}, and asks the
 * store whether the refused token is current there. If it is, the store has lost records.
 */
final class Refusals {
    /** The kind of a stale token in the log of runs. */
    static final String STALE = "stale_refused";

    private static final long NO = 0;
    private static final long YES = 1;

    private Refusals() {}

    /** Reports the refusal and returns the exit code. */
    static int report(Invocation invocation, Path target, Grant grant, Admission.Refused refused)
            throws InterruptedException {
        return report(invocation, TargetOption.file(target), grant, refused);
    }

    /** Reports the refusal and returns the exit code. */
    static int report(Invocation invocation, TargetOption target, Grant grant, Admission.Refused refused)
            throws InterruptedException {
        String explanation = refused.explanation();
        String outcome = outcome(refused);
        String kind = target.kindOf(refused);
        String detail = target.whole() + ": " + explanation;
        AtomicReference<String> reason = new AtomicReference<>("");
        // False if the store gives no answer.
        boolean currentInStore = BoundedQuery.of(
                        invocation,
                        grant,
                        store -> {
                            reason.set(OperatorsReason.of(store, grant));
                            return askAndRecord(store, invocation, grant, kind, detail);
                        },
                        NO)
                == YES;
        if (refused instanceof Admission.Stale stale && currentInStore) {
            explanation = Admission.repairAdvice(grant, stale.raised());
            outcome = "store-went-back";
        } else {
            explanation += reason.get();
        }
        if (invocation.json()) {
            Json json = JsonViews.outcome(outcome, grant).put("target", target).put("detail", explanation);
            if (refused instanceof Admission.Stale stale) {
                json.put("raised", stale.raised().value());
            }
            invocation.console().print(json.toString());
        }
        invocation.console().error(target + " refused; nothing was written: " + explanation);
        return ExitCode.STALE;
    }

    /** Reports a refusal before the target was asked, and returns the exit code. */
    static int report(Invocation invocation, TargetOption target, Grant grant, TokenCheck.RefusedByStore refused)
            throws InterruptedException {
        BoundedQuery.note(invocation, grant, STALE, target.whole() + ": " + refused.explanation());
        AtomicReference<String> reason = new AtomicReference<>("");
        BoundedQuery.of(
                invocation,
                grant,
                store -> {
                    reason.set(OperatorsReason.of(store, grant));
                    return NO;
                },
                NO);
        String explanation = refused.explanation() + reason.get();
        if (invocation.json()) {
            invocation
                    .console()
                    .print(JsonViews.outcome(refused.outcome(), grant)
                            .put("target", target)
                            .put("detail", explanation)
                            .put("current", refused.current())
                            .toString());
        }
        invocation.console().error(target + ": nothing was written: " + explanation);
        return ExitCode.STALE;
    }

    static String outcome(Admission.Refused refused) {
        if (refused instanceof Admission.Stale) {
            return "stale";
        }
        if (refused instanceof Admission.Rejected) {
            return "rejected";
        }
        return refused instanceof Admission.OnceUsed ? "once-used" : "store-went-back";
    }

    private static long askAndRecord(LeaseStore store, Invocation invocation, Grant grant, String kind, String detail) {
        boolean current =
                new BestEffortGate(store, new SystemTicker()).check(grant).isEmpty();
        BoundedQuery.record(store, invocation, grant, kind, detail);
        return current ? YES : NO;
    }
}
