package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for details about a decision that a target makes. The decision does not depend on
 * an answer, so a store that hangs delays it by a bounded time.
 */
final class BoundedQuery {
    /** The token of {@link Answer} if there is none. */
    static final long NO_TOKEN = 0;

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(1);

    private BoundedQuery() {}

    /**
     * The answer of the store; {@code otherwise} if it gives none in time or is not the store of
     * this grant.
     */
    static long of(Invocation invocation, Grant grant, ToLongFunction<LeaseStore> question, long otherwise)
            throws InterruptedException {
        AtomicLong answer = new AtomicLong(otherwise);
        String failed = within(PATIENCE, () -> ask(invocation, grant, question, answer));
        if (failed != null) {
            invocation.console().say("the store gave no details: " + failed);
        }
        return answer.get();
    }

    /**
     * What a store says about the lease of a grant.
     *
     * @param token the current token; {@link #NO_TOKEN} if the store does not know the lease
     * @param targets what it remembers about the targets of the lease
     */
    record Answer(long token, List<KnownTarget> targets) {}

    /**
     * What the store says about the grant's lease; null if it is not the store of this grant, or
     * gives no answer, which is reported.
     */
    static @Nullable Answer about(Invocation invocation, Grant grant) throws InterruptedException {
        AtomicReference<Answer> answer = new AtomicReference<>();
        AtomicBoolean other = new AtomicBoolean();
        String failed = within(SHORT_PATIENCE, () -> {
            try (LeaseStore store = invocation.openStoreToReadQuietly()) {
                other.set(!isStoreOf(grant, store));
                answer.set(other.get() ? null : answer(store, grant.name()));
            }
        });
        if (answer.get() != null || other.get()) {
            return answer.get();
        }
        invocation
                .console()
                .say("the store could not be asked whether " + grant + " is current, so the target decides alone: "
                        + (failed == null ? "no answer within " + DurationText.show(SHORT_PATIENCE) : failed));
        return null;
    }

    private static Answer answer(LeaseStore store, LeaseName name) {
        LeaseSnapshot found = store.inspect(name).orElse(null);
        long token = found == null ? NO_TOKEN : found.lease().token().value();
        try {
            return new Answer(token, found == null ? List.of() : new TargetMemory(store.register()).of(name));
        } catch (StoreCorruptException e) {
            // The token matters more; 'doctor' reports the damage.
            return new Answer(token, List.of());
        }
    }

    /**
     * What a store says about a lease.
     *
     * @param token the current token; null if the store does not know the lease
     * @param targets what it remembers about the targets of the lease
     * @param history the latest changes of ownership, newest first
     */
    record Standing(StoreId store, @Nullable FencingToken token, List<KnownTarget> targets, List<Transfer> history) {
        /** Who got this token from the store; null if that is not known any more. */
        @Nullable
        Transfer of(FencingToken wanted) {
            for (Transfer transfer : history) {
                if (transfer.token().equals(wanted)) {
                    return transfer;
                }
            }
            return null;
        }
    }

    /** What the store of this command says about a lease; null if it gives no answer, which is reported. */
    static @Nullable Standing standing(Invocation invocation, LeaseName name) throws InterruptedException {
        AtomicReference<Standing> answer = new AtomicReference<>();
        String failed = within(PATIENCE, () -> answer.set(standingIn(invocation, name)));
        if (answer.get() == null) {
            invocation
                    .console()
                    .say("the store gave no details: "
                            + (failed == null ? "no answer within " + DurationText.show(PATIENCE) : failed));
        }
        return answer.get();
    }

    private static Standing standingIn(Invocation invocation, LeaseName name) {
        try (LeaseStore store = invocation
                .openStoreIfAny()
                .orElseThrow(() -> new StoreMissingException("this user has no store yet"))) {
            Answer answer = answer(store, name);
            return new Standing(
                    store.id(),
                    answer.token() == NO_TOKEN ? null : FencingToken.of(answer.token()),
                    answer.targets(),
                    store.history(name, LeaseStore.HISTORY_KEPT));
        }
    }

    /**
     * Runs a question on a thread of its own. Returns why it failed; null if it did not, or is not
     * finished.
     */
    @SuppressWarnings("CatchingUnchecked")
    private static @Nullable String within(Duration patience, Runnable question) throws InterruptedException {
        AtomicReference<String> failed = new AtomicReference<>();
        Runnable asking = () -> {
            try {
                question.run();
            } catch (RuntimeException | Error e) {
                failed.set(String.valueOf(e.getMessage()));
            }
        };
        Thread thread = new Thread(asking, "leasehold-ask");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            // Asking on this thread could block for ever.
            return String.valueOf(noThread.getMessage());
        }
        thread.join(patience.toMillis());
        return failed.get();
    }

    private static boolean isStoreOf(Grant grant, LeaseStore store) {
        return grant.store() == null || grant.store().equals(store.id());
    }

    private static void ask(
            Invocation invocation, Grant grant, ToLongFunction<LeaseStore> question, AtomicLong answer) {
        try (LeaseStore store = invocation.openStoreToRead()) {
            if (isStoreOf(grant, store)) {
                answer.set(question.applyAsLong(store));
            }
        }
    }

    /** Records what happened at a target for {@code explain}, in the store of the grant. */
    static void note(Invocation invocation, Grant grant, String kind, String detail) throws InterruptedException {
        String failed = within(PATIENCE, () -> {
            try (LeaseStore store = invocation.openStoreToReadQuietly()) {
                if (isStoreOf(grant, store)) {
                    record(store, invocation, grant, kind, detail);
                }
            }
        });
        if (failed != null) {
            invocation.console().say("warning: 'explain' will not show this: " + failed);
        }
    }

    /** Records the outcome of a write for {@code explain}. */
    static void record(LeaseStore store, Invocation invocation, Grant grant, String kind, String detail) {
        LeaseSnapshot lease = store.inspect(grant.name()).orElse(null);
        RunEntry entry = new RunEntry(
                lease == null ? Instant.now() : lease.readAt(),
                kind,
                grant.token(),
                holder(lease, invocation, grant),
                Duration.ZERO,
                detail);
        new RunLog(store.register()).append(grant.name(), entry);
    }

    private static Holder holder(@Nullable LeaseSnapshot lease, Invocation invocation, Grant grant) {
        if (lease != null && lease.lease().token().equals(grant.token())) {
            return lease.lease().owner().holder();
        }
        String holder = invocation.env(CommandEnvironment.HOLDER);
        return holder == null ? SystemContext.defaultHolder(new SystemIds()) : Holder.of(holder);
    }
}
