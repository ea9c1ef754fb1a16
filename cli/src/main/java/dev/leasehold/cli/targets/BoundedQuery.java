package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandEnvironment;
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
 * Asks the store for details about a decision that a target has already made. The decision does not
 * depend on the answer, so a store that hangs delays it by three seconds at most.
 */
final class BoundedQuery {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private BoundedQuery() {}

    /**
     * The answer of the store; {@code otherwise} if it gives none in time or is not the store of
     * this grant.
     */
    static long of(Invocation invocation, Grant grant, ToLongFunction<LeaseStore> question, long otherwise)
            throws InterruptedException {
        AtomicLong answer = new AtomicLong(otherwise);
        Thread asking = new Thread(() -> ask(invocation, grant, question, answer), "leasehold-ask");
        asking.setDaemon(true);
        try {
            asking.start();
        } catch (OutOfMemoryError noThread) {
            // Asking on this thread could block for ever.
            invocation.console().say("the store gave no details: " + noThread.getMessage());
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
            invocation.console().say("the store gave no details: " + e.getMessage());
        }
    }

    /** Records the outcome of a write for {@code explain}. */
    static void record(LeaseStore store, Invocation invocation, Grant grant, String kind, String detail) {
        String holder = invocation.env(CommandEnvironment.HOLDER);
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
