package dev.leasehold.jobs;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a slot, or of several consecutive slots that were dropped together.
 *
 * @param from the first slot
 * @param to the last one; the same for a single slot
 * @param slots the number of slots from the first to the last
 * @param token the token it ran under; null if it never ran
 * @param attempt the number of its last attempt; zero if it never ran
 * @param at when the outcome was decided, by the store's clock
 * @param holder the machine that ran it last; null if it never ran, and in records of earlier versions
 */
public record Outcome(
        Instant from,
        Instant to,
        long slots,
        Kind kind,
        String reason,
        @Nullable FencingToken token,
        int attempt,
        Instant at,
        Duration took,
        @Nullable Holder holder) {
    public Outcome(
            Instant from,
            Instant to,
            long slots,
            Kind kind,
            String reason,
            @Nullable FencingToken token,
            int attempt,
            Instant at,
            Duration took) {
        this(from, to, slots, kind, reason, token, attempt, at, took, null);
    }

    Outcome by(@Nullable Holder value) {
        return new Outcome(from, to, slots, kind, reason, token, attempt, at, took, value);
    }

    /**
     * Counting stops at this number, because it takes time and the exact number does not matter.
     */
    static final int MAX_COUNTED = 20_000;

    /** Every slot ends as exactly one of these. */
    public enum Kind {
        /** Its work was completed. */
        RAN,
        /** An earlier slot or another holder of the lease was still running. Not a failure. */
        SKIPPED,
        /** It was missed and not caught up with. */
        DROPPED,
        /** Its attempts failed. */
        FAILED;

        /** The word people and scripts see. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind ofWord(String word) {
            for (Kind kind : values()) {
                if (kind.word().equals(word)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("an outcome is not known to this version");
        }
    }

    /** Whether this is the outcome of a slot. A range is about slots of the schedule, not about starts in between. */
    boolean includes(Instant slot) {
        return JobStart.isSlot(slot) ? slot.equals(from) : !slot.isBefore(from) && !slot.isAfter(to);
    }

    static Outcome withoutRun(Instant slot, Kind kind, String reason, Instant at) {
        return new Outcome(slot, slot, 1, kind, reason, null, 0, at, Duration.ZERO);
    }

    static Outcome dropped(Instant from, Instant to, long slots, String reason, Instant at) {
        return new Outcome(from, to, slots, Kind.DROPPED, reason, null, 0, at, Duration.ZERO);
    }
}
