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

/**
 * What is done when a target refused a grant: tell the user, note it for {@code explain}, and find out whether the store
 * calls the refused token current, which means that it went back in time.
 */
final class Refusals {
    private static final long NO = 0;
    private static final long YES = 1;

    private Refusals() {}

    /** Returns the exit code. */
    static int tell(Invocation invocation, Path target, Grant grant, Admission.Refused refused)
            throws InterruptedException {
        return tell(invocation, target, target.toAbsolutePath().toString(), grant, refused);
    }

    /**
     * Returns the exit code.
     *
     * @param target as the user named it
     * @param whole so that one knows which it was, wherever one reads it
     */
    static int tell(Invocation invocation, Object target, String whole, Grant grant, Admission.Refused refused)
            throws InterruptedException {
        String explanation = refused.explanation();
        String outcome = outcome(refused);
        String detail = whole + ": " + explanation;
        // False if the store cannot be asked: then nothing is known against it.
        boolean storeCallsItCurrent =
                BoundedQuery.of(invocation, grant, store -> askAndNote(store, invocation, grant, detail), NO) == YES;
        if (refused instanceof Admission.Stale stale && storeCallsItCurrent) {
            explanation = Admission.repairAdvice(grant, stale.raised());
            outcome = "store-went-back";
        }
        if (invocation.json()) {
            Json json = JsonViews.outcome(outcome, grant).put("target", target).put("detail", explanation);
            if (refused instanceof Admission.Stale stale) {
                json.put("raised", stale.raised().value());
            }
            invocation.console().print(json.toString());
        }
        invocation.console().error(target + " refused, nothing was written: " + explanation);
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

    private static long askAndNote(LeaseStore store, Invocation invocation, Grant grant, String detail) {
        boolean current =
                new BestEffortGate(store, new SystemTicker()).check(grant).isEmpty();
        BoundedQuery.note(store, invocation, grant, "stale_refused", detail);
        return current ? YES : NO;
    }
}
