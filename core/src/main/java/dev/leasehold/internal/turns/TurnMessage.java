package dev.leasehold.internal.turns;

import java.time.Duration;
import java.util.Optional;

/** What a process tells those that wait for a name. Anybody who may use the store may also send nonsense. */
public sealed interface TurnMessage {
    /**
     * The name became free. Each store writes this in its own way, as a part of the step that frees the name.
     *
     * @param token of the grant that ended; zero if it is unknown
     * @param window during which those that wait should ask, see {@link WaitingLines}; zero if the sender knows of none
     */
    record Freed(long token, Duration window) implements TurnMessage {}

    /** A message that any process may send. */
    sealed interface Notice extends TurnMessage {
        /** Without blanks. */
        String text();
    }

    /**
     * A process was granted the lease.
     *
     * @param ttl after this time, the others should ask again: nobody announces a lease that expires
     */
    record Granted(long token, Duration ttl) implements Notice {
        @Override
        public String text() {
            return "granted," + token + "," + ttl.toMillis();
        }
    }

    /** Too many ask in vain, so the window should not be smaller than this. */
    record Crowded(Duration window) implements Notice {
        @Override
        public String text() {
            return "crowded," + micros(window);
        }
    }

    /** Empty if it is none. */
    static Optional<Notice> parse(String text) {
        String[] parts = text.split(",", 4);
        if (parts[0].equals("granted") && parts.length == 3) {
            long token = number(parts[1]);
            long millis = number(parts[2]);
            return token < 1 || millis < 0
                    ? Optional.empty()
                    : Optional.of(new Granted(token, Duration.ofMillis(millis)));
        }
        if (parts[0].equals("crowded") && parts.length == 2) {
            return Optional.of(new Crowded(ofMicros(number(parts[1]))));
        }
        return Optional.empty();
    }

    /** Negative if it is none. */
    static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static long micros(Duration window) {
        return window.toNanos() / 1000;
    }

    static Duration ofMicros(long micros) {
        return Duration.ofNanos(1000 * Math.max(0, Math.min(micros, Integer.MAX_VALUE)));
    }
}
