package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store about a token before it is shown to a target. This refuses two tokens that a
 * target cannot recognize: a stale one whose successor has not raised the target yet, and one that
 * was never granted, after which the target would refuse every real token. The target remains the
 * authority: without an answer it decides alone. The current token is only compared, never used.
 *
 * <p>The store also remembers the target: one whose fence went back is refused, and one that is new
 * is remembered after the write.
 */
final class TokenCheck {
    static final Option NO_CHECK =
            Option.flag("no-check", "do not ask the store about the token first; the target alone checks it");

    private final Invocation invocation;
    private final Grant grant;
    private final TargetOption target;
    /** What the store answered; null if it was not asked or gave no answer. */
    private volatile BoundedQuery.@Nullable Answer answer;

    TokenCheck(Invocation invocation, Grant grant, TargetOption target) {
        this.invocation = invocation;
        this.grant = grant;
        this.target = target;
    }

    /** The store's reason to refuse a grant. The target was not changed. */
    static final class RefusedByStore extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String outcome;
        private final long current;

        RefusedByStore(String outcome, long current, String explanation) {
            super(explanation);
            this.outcome = outcome;
            this.current = current;
        }

        /** The outcome in JSON. */
        String outcome() {
            return outcome;
        }

        /** The current token in the store. */
        long current() {
            return current;
        }

        String explanation() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Returns if the target is to decide.
     *
     * @throws RefusedByStore if the store has granted a higher token since, or has lost this one
     * @throws UsageException if the token was never granted
     * @throws TargetUnavailableException if the fence of the target, which is a path, went back
     */
    void require() throws InterruptedException {
        if (invocation.arguments().has(NO_CHECK) || Observation.isWanted(invocation)) {
            return;
        }
        answer = BoundedQuery.about(invocation, grant);
        if (answer != null) {
            requireCurrent(answer.token());
            target.requireNotBack(answer.targets());
        }
    }

    /** What the store remembers about the targets of the lease. */
    List<KnownTarget> known() {
        BoundedQuery.Answer given = answer;
        return given == null ? List.of() : given.targets();
    }

    /** Lets the store remember the target after a step of the grant, if it knows the lease but not the target. */
    void remember() throws InterruptedException {
        remember(List.of(target));
    }

    /** As {@link #remember()}, for several targets. */
    void remember(List<TargetOption> targets) throws InterruptedException {
        BoundedQuery.Answer given = answer;
        if (given == null || given.token() == BoundedQuery.NO_TOKEN) {
            return;
        }
        List<KnownTarget> stepped = new ArrayList<>();
        for (TargetOption one : targets) {
            one.stepped(grant, known(), invocation)
                    .filter(now -> !TargetMemory.covers(known(), now))
                    .ifPresent(stepped::add);
        }
        if (!stepped.isEmpty()) {
            BoundedQuery.of(
                    invocation,
                    grant,
                    store -> {
                        new TargetMemory(store.register()).add(grant.name(), stepped);
                        return 0;
                    },
                    0);
        }
    }

    private void requireCurrent(long current) {
        long shown = grant.token().value();
        if (current == BoundedQuery.NO_TOKEN || current == shown) {
            return;
        }
        if (shown < current) {
            if (refuses(() -> target.state(grant.name(), invocation), grant)) {
                return;
            }
            throw new RefusedByStore(
                    "stale",
                    current,
                    "token " + shown + " of " + grant.name() + " is stale: the store has granted token " + current);
        }
        if (grant.attempt() == null) {
            throw new UsageException("token " + shown + " of " + grant.name() + " was never granted by this store; the"
                    + " current token is " + current + ". Nothing was written. Show the token that was granted, or"
                    + " name the store that granted it with --store");
        }
        throw new RefusedByStore(
                "store-went-back",
                current,
                "the store went back in time: it issued token " + shown + " of " + grant.name()
                        + ", but its current token is " + current + " (failover or restore?); lift the counter with:"
                        + " leasehold repair " + grant.name() + " --above " + shown + " --reason ...");
    }

    /** Whether the target refuses the grant itself. Its answer is the better one: it says what the target has seen. */
    static boolean refuses(Supplier<Optional<FenceState>> fence, Grant grant) {
        try {
            FenceState state = fence.get().orElse(null);
            return state != null
                    && (!state.name().equals(grant.name()) || grant.token().isBelow(state.raised()));
        } catch (TargetUnavailableException e) {
            return false;
        }
    }

    /** As {@link #require}, for a caller that produces content. */
    void requireWhileStaging() throws InterruptedIOException {
        try {
            require();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the store was asked");
        }
    }
}
