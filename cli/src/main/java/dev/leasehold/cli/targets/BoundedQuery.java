package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.runlog.RunEntry;
import dev.leasehold.cli.runlog.RunLog;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * A question to the store about something that a target has decided already. It stands whatever the store says, so a store
 * that hangs must not hold it up for long.
 */
public final class BoundedQuery {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private BoundedQuery() {}

    /** The store's answer; {@code otherwise} if it cannot be asked, or is not the store of this grant. */
    public static long of(Invocation invocation, Grant grant, ToLongFunction<LeaseStore> question, long otherwise)
            throws InterruptedException {
        AtomicLong answer = new AtomicLong(otherwise);
        Thread asking = new Thread(() -> ask(invocation, grant, question, answer), "leasehold-ask");
        asking.setDaemon(true);
        try {
            asking.start();
        } catch (OutOfMemoryError noThread) {
            // On this thread the question could hang for ever.
            invocation.console().say("the store could not be asked about it: " + noThread.getMessage());
        }
        asking.join(PATIENCE.toMillis());
        return answer.get();
    }

    @SuppressWarnings("CatchingUnchecked")
    private static void ask(
            Invocation invocation, Grant grant, ToLongFunction<LeaseStore> question, AtomicLong answer) {
        try (LeaseStore store = invocation.openStore()) {
            if (grant.store() == null || grant.store().equals(store.id())) {
                answer.set(question.applyAsLong(store));
            }
        } catch (RuntimeException | Error e) {
            invocation.console().say("the store could not be asked about it: " + e.getMessage());
        }
    }

    /** Notes for {@code explain} what became of a write. */
    public static void note(LeaseStore store, Invocation invocation, Grant grant, String kind, String detail) {
        String holder = invocation.env("LEASEHOLD_HOLDER");
        RunEntry entry = new RunEntry(
                store.inspect(grant.name()).map(LeaseSnapshot::at).orElseGet(Instant::now),
                kind,
                grant.token(),
                holder == null ? SystemContext.defaultHolder(new SystemIds()) : Holder.of(holder),
                Duration.ZERO,
                detail);
        new RunLog(store.register()).append(grant.name(), entry);
    }
}
