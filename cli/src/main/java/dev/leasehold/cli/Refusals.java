package dev.leasehold.cli;

import dev.leasehold.RunEntry;
import dev.leasehold.RunLog;
import dev.leasehold.cli.output.Json;
import dev.leasehold.guard.BestEffortGate;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemSurroundings;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is done when a target refused a grant: tell the user, note it for {@code explain}, and find out whether the store
 * calls the refused token current, which means that it went back in time.
 */
final class Refusals {
    /** The refusal stands whatever the store says, so a store that hangs must not hold it up for long. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private Refusals() {}

    /** Returns the exit code. */
    static int tell(Invocation invocation, Path target, Grant grant, Admission.Refused refused)
            throws InterruptedException {
        String explanation = refused.explanation();
        String outcome = outcome(refused);
        boolean storeCallsItCurrent = consultStore(invocation, grant, target.toAbsolutePath() + ": " + explanation);
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

    private static String outcome(Admission.Refused refused) {
        if (refused instanceof Admission.Stale) {
            return "stale";
        }
        return refused instanceof Admission.OnceUsed ? "once-used" : "store-went-back";
    }

    private static boolean consultStore(Invocation invocation, Grant grant, String detail) throws InterruptedException {
        AtomicBoolean current = new AtomicBoolean();
        Thread asking = new Thread(() -> current.set(askAndNote(invocation, grant, detail)), "leasehold-ask");
        asking.setDaemon(true);
        asking.start();
        asking.join(PATIENCE.toMillis());
        return current.get();
    }

    /** Whether the store calls the grant current. False if it cannot be asked: then nothing is known against it. */
    private static boolean askAndNote(Invocation invocation, Grant grant, String detail) {
        try (LeaseStore store = invocation.openStore()) {
            if (grant.store() != null && !grant.store().equals(store.id())) {
                return false;
            }
            boolean current =
                    new BestEffortGate(store, new SystemTicker()).check(grant).isEmpty();
            String holder = invocation.env("LEASEHOLD_HOLDER");
            RunEntry entry = new RunEntry(
                    store.inspect(grant.name()).map(LeaseSnapshot::at).orElseGet(Instant::now),
                    "refused",
                    grant.token(),
                    holder == null ? SystemSurroundings.defaultHolder(new SystemIds()) : Holder.of(holder),
                    Duration.ZERO,
                    detail);
            new RunLog(store.register()).append(grant.name(), entry);
            return current;
        } catch (StoreUnavailableException | StoreCorruptException | IllegalArgumentException e) {
            invocation.console().say("the store could not be asked about it: " + e.getMessage());
            return false;
        }
    }
}
