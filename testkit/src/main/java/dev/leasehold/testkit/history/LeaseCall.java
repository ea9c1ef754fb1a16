package dev.leasehold.testkit.history;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call as its client saw it. Times are nanoseconds of one monotonic clock.
 *
 * @param attempt the attempt of an acquire or a takeover, or the attempt to which the renewed or
 *     released grant was issued
 * @param token the token of the grant that is renewed or released; 0 for other calls
 * @param ttl the requested ttl; 0 for a release
 * @param ended when the answer came, or {@link Long#MAX_VALUE} without an answer: the call may take
 *     effect at any later time, or never
 * @param answer null if no answer came
 */
record LeaseCall(
        int client, Kind kind, String attempt, long token, long ttl, long began, long ended, @Nullable Answer answer) {
    enum Kind {
        ACQUIRE,
        TAKEOVER,
        RENEW,
        RELEASE
    }

    enum Word {
        GRANTED,
        BUSY,
        SPENT,
        RENEWED,
        RELEASED,
        ALREADY_RELEASED,
        /** A higher token is current. */
        SUPERSEDED,
        LAPSED,
        /** The store has not issued this grant. */
        FORGOTTEN;

        /** Whether a call with this answer left the lease as it was. */
        boolean changesNothing() {
            return this != GRANTED && this != RENEWED && this != RELEASED;
        }
    }

    /**
     * @param token the granted token, or the one that the store reported as current; 0 if the
     *     answer names none
     */
    record Answer(Word word, long token) {
        static Answer of(Word word) {
            return new Answer(word, 0);
        }

        @Override
        public String toString() {
            return token == 0 ? word.toString() : word + " " + token;
        }
    }

    boolean isAnswered() {
        return answer != null;
    }

    /** The same call with its answer lost. */
    LeaseCall unanswered() {
        return new LeaseCall(client, kind, attempt, token, ttl, began, Long.MAX_VALUE, null);
    }

    /** One readable line, with times in microseconds since {@code start}. */
    String line(long start) {
        String what = token == 0 ? attempt : attempt + " token " + token;
        String end = isAnswered() ? Long.toString(micros(ended - start)) : "...";
        return "%8d %8s  client %d  %-8s %-18s -> %s"
                .formatted(micros(began - start), end, client, kind, what, answer == null ? "no answer" : answer);
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
