package dev.leasehold.model;

import org.jspecify.annotations.Nullable;

/** A fence's answer to a write. */
public sealed interface Admission {
    /** The write took effect; for a raise, the fence has recorded the token. */
    record Admitted(FencingToken token) implements Admission {}

    /** The same write took effect before, so this retry changed nothing. */
    record AlreadyWritten(FencingToken token) implements Admission {}

    /**
     * The write took effect only because the fence observes and does not enforce. It would have
     * been refused.
     */
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
     * The target knows this token from another attempt: the store lost records and issued it twice.
     * The second grant to arrive may not write, whichever of the two is current in the store.
     */
    record StoreWentBack(Grant shown, @Nullable AttemptId known) implements Refused {
        @Override
        public String explanation() {
            return repairAdvice(shown, shown.token());
        }
    }

    /**
     * The token is valid, but the target refused the write for another reason, such as a push that
     * is not a fast-forward or a hook that declined it. The same grant may try another write.
     */
    record Rejected(Grant shown, String words) implements Refused {
        @Override
        public String explanation() {
            return "token " + shown.token() + " of " + shown.name() + " is valid, but the target refused the write: "
                    + words;
        }
    }

    static String repairAdvice(Grant shown, FencingToken raised) {
        return "the store went back in time: it issued token " + shown.token() + " of " + shown.name()
                + ", but the target has seen token " + raised + " from another grant (failover or restore?); lift the"
                + " counter with: leasehold repair " + shown.name() + " --above " + raised
                + " --reason 'the store went back'";
    }
}
