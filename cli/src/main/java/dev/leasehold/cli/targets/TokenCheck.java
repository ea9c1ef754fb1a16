package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks the store about a token before it is shown to a target. This refuses two tokens that a
 * target cannot recognize: a stale one whose successor has not raised the target yet, and one that
 * was never granted, after which the target would refuse every real token. The target remains the
 * authority: without an answer it decides alone. The current token is only compared, never used.
 */
final class TokenCheck {
    static final Option NO_CHECK =
            Option.flag("no-check", "do not ask the store about the token first; the target alone checks it");

    private TokenCheck() {}

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
     * @param fence reads the state of the target
     * @throws RefusedByStore if the store has granted a higher token since, or has lost this one
     * @throws UsageException if the token was never granted
     */
    static void require(Invocation invocation, Grant grant, Supplier<Optional<FenceState>> fence)
            throws InterruptedException {
        if (invocation.arguments().has(NO_CHECK) || Observation.isWanted(invocation)) {
            return;
        }
        long current = BoundedQuery.currentToken(invocation, grant);
        long shown = grant.token().value();
        if (current == BoundedQuery.NO_TOKEN || current == shown) {
            return;
        }
        if (shown < current) {
            if (refuses(fence, grant)) {
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

    /** The same, for a caller that produces content. */
    static void requireWhileStaging(Invocation invocation, Grant grant, Supplier<Optional<FenceState>> fence)
            throws InterruptedIOException {
        try {
            require(invocation, grant, fence);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the store was asked");
        }
    }
}
