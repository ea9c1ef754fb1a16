package dev.leasehold.events;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a store.
 *
 * @param token which it is about; null if no lease was held
 * @param holder null if nobody in particular did it
 * @param outcome the word that the history, the log of runs or the record of slots has for it
 * @param detail for people; empty if there is nothing more to say
 * @param slot of a scheduled job; null if it has none
 */
public record Event(
        EventPosition position,
        Type type,
        LeaseName name,
        @Nullable FencingToken token,
        @Nullable Holder holder,
        String outcome,
        String detail,
        @Nullable Instant slot) {

    /** The kinds of events. */
    public enum Type {
        /** Somebody became the owner. The outcome says how the ownership before it ended. */
        ACQUIRED,
        /** An operator ended an ownership and left the name free. */
        CANCELLED,
        /** An operator raised the token after the store had lost records. */
        RECOVERED,
        /** A run ended, with this outcome. */
        ENDED,
        /** A run did not start, because another held the lease. Not a failure. */
        SKIPPED,
        /** A run lost its lease. */
        LOST,
        /** A target refused a stale token. */
        REFUSED,
        /** An operator paused a job. */
        PAUSED,
        /** An operator resumed a job. */
        RESUMED,
        /** A person started a job: a machine that runs it takes the start up. */
        STARTED,
        /** A slot of a scheduled job got its outcome. */
        SLOT,
        /** Some events of this name are no longer kept: too many happened at once, or too long ago. */
        MISSED;

        /** The word that people and scripts see. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException if there is no such type */
        public static Type ofWord(String word) {
            for (Type type : values()) {
                if (type.word().equals(word)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("unknown type of event '" + word + "'");
        }
    }

    /** The store's time. */
    public Instant at() {
        return position.at();
    }
}
