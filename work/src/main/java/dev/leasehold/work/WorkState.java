package dev.leasehold.work;

import java.util.Locale;

/** Where a work item stands. */
public enum WorkState {
    /** To be done. A key that the ledger does not know is as good as open. */
    OPEN,
    /** Claimed. Whether its runner is alive is for the lease to say. */
    RUNNING,
    /** Completed, once and for all: it is not run again. */
    DONE,
    /** The last attempt ended without completing it; the next run tries again. */
    FAILED;

    /** The word people and scripts see. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static WorkState ofWord(String word) {
        for (WorkState state : values()) {
            if (state.word().equals(word)) {
                return state;
            }
        }
        throw new IllegalArgumentException("unknown state of a work item: known are open, running, done, failed");
    }
}
