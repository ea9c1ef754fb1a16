package dev.leasehold.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that ended without an outcome of its slot, and what happens next.
 *
 * @param number which attempt at the slot it was, from 1
 * @param why the reason, for people
 * @param retry the retry that follows failed work; null if the attempt ended for another reason, which uses up no retry
 */
public record EndedAttempt(int number, Kind kind, String why, @Nullable Retry retry) {
    public EndedAttempt {
        if ((kind == Kind.FAILED) != (retry != null)) {
            throw new IllegalArgumentException("an attempt has a retry if, and only if, its work failed");
        }
    }

    /** How an attempt ended without an outcome. */
    public enum Kind {
        /** Its work failed, and a retry is left. */
        FAILED,
        /** Its lease or the store was lost. This machine or another continues the slot. */
        LOST,
        /** This machine was stopped. Another machine continues the slot. */
        STOPPED,
        /**
         * Its end could not be recorded. The slot continues on any machine that reaches the store,
         * when the lease has ended.
         */
        UNRECORDED
    }

    /**
     * A retry that is due.
     *
     * @param number which retry it is, from 1
     * @param allowed how many retries the job allows
     * @param delay the time until it may start
     */
    public record Retry(int number, int allowed, Duration delay) {}

    static EndedAttempt failed(int number, String why, Retry retry) {
        return new EndedAttempt(number, Kind.FAILED, why, retry);
    }

    static EndedAttempt lost(int number, String why) {
        return new EndedAttempt(number, Kind.LOST, why, null);
    }

    static EndedAttempt stopped(int number) {
        return new EndedAttempt(number, Kind.STOPPED, "this machine was stopped", null);
    }

    static EndedAttempt unrecorded(int number) {
        return new EndedAttempt(number, Kind.UNRECORDED, "its end could not be recorded", null);
    }
}
