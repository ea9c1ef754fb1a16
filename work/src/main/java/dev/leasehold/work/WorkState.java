package dev.leasehold.work;

import java.util.Locale;

/** The state of a work item. */
public enum WorkState {
    /** Not started, or reopened. An unknown key counts as open. */
    OPEN,
    /** Claimed. The lease shows whether its run is alive. */
    RUNNING,
    /** Completed: it does not run again. */
    DONE,
    /** The last attempt failed; the next run tries again. */
    FAILED;

    /** The word that people and scripts see. */
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
