package dev.leasehold.model;

import org.jspecify.annotations.Nullable;

/** What a fence answers to a write. */
public sealed interface Admission {
    /** The write took effect (for a raise: the fence knows the token). */
    record Admitted(FencingToken token) implements Admission {}

    /** This very write had taken effect before: a retry converged to one artifact. */
    record AlreadyWritten(FencingToken token) implements Admission {}

    /** It was written although it should not have been: the target was only observed, and this would have been the answer. */
    record Observed(FencingToken token, Refused instead) implements Admission {}

    /** Nothing was written. */
    sealed interface Refused extends Admission {
        String explanation();
    }

    /** The target has seen a higher token. */
    record Stale(Grant shown, FencingToken raised) implements Refused {
        @Override
        public String explanation() {
            return "token " + shown.token() + " of " + shown.name() + " is stale: the target has seen token " + raised;
        }
    }

    /** The grant's one write was used, for other content. */
    record OnceUsed(Grant shown, FencingToken once) implements Refused {
        @Override
        public String explanation() {
            return "the one write of token " + shown.token() + " of " + shown.name() + " was used (by token " + once
                    + ") for other content";
        }
    }

    /**
     * The target knows this token under another attempt: the store issued it twice, so it went back in time. The second one to
     * come may not write, whichever of the two the store calls current.
     */
    record StoreWentBack(Grant shown, @Nullable AttemptId known) implements Refused {
        @Override
        public String explanation() {
            return repairAdvice(shown, shown.token());
        }
    }

    /**
     * The token was good, but the target has reasons of its own, which have nothing to do with tokens: a branch that is not
     * a fast-forward, a hook that says no. The same grant may try again with something else.
     */
    record Rejected(Grant shown, String words) implements Refused {
        @Override
        public String explanation() {
            return "token " + shown.token() + " of " + shown.name() + " is good, the target has another reason: "
                    + words;
        }
    }

    static String repairAdvice(Grant shown, FencingToken raised) {
        return "the store went back in time: it issued token " + shown.token() + " of " + shown.name()
                + ", but the target has seen token " + raised + " from another grant (failover or restore?); lift the"
                + " counter with: leasehold repair " + shown.name() + " --above " + raised + " --reason ...";
    }
}
