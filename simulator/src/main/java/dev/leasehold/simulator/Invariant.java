package dev.leasehold.simulator;

/** What must always hold, numbered as in the protocol. */
public enum Invariant {
    TOKENS_RISE(1, "tokens of one name strictly rise"),
    TOKENS_ARE_UNIQUE(2, "no two grants carry the same token"),
    NO_EARLY_GRANT(3, "no grant while the previous one is unexpired"),
    TRUST_INSIDE(4, "the holder's trusted interval lies inside the store's"),
    NO_STALE_WRITE(5, "after a target accepted a token, no write with a lower one takes effect"),
    ONE_STEP(6, "check and write are one step: old or new, whole"),
    STALE_CHANGES_NOTHING(7, "renew and release with a stale token change nothing"),
    NO_LOCKOUT(8, "an acquire whose reply was lost does not lock its client out"),
    RESTART_IS_NEW(9, "the same holder restarting gets a new token"),
    ONE_COMPLETION(10, "a work item completes at most once, under its current epoch"),
    DEAD_IN_TIME(11, "work under a lease stops before the deadline"),
    LIVENESS(12, "after faults stop, a free lease is granted within its ttl"),
    ONE_OUTCOME(13, "every due slot has exactly one outcome"),
    STORE_WENT_BACK(14, "the target detects a store that went back in time"),
    OPERATORS_OBEY(15, "operator actions obey these rules and appear in the history"),
    LOSS_REPORTED(16, "work whose lease is over is notified"),
    NOTHING_KEPT(17, "no lease is held after its run has ended"),
    ON_TIME(18, "after faults stop, the remaining machine starts every slot when it is due"),
    ONE_SUPERSEDE(19, "a supersede ends an older slot's run and raises the token once"),
    OWN_ANSWER(20, "a caller that shares a call gets its own answer, in its turn");

    private final int number;
    private final String meaning;

    Invariant(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    @Override
    public String toString() {
        return number + ": " + meaning;
    }
}
