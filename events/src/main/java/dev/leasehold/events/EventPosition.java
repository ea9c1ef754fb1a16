package dev.leasehold.events;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A place among the events of a store. It is derived from what the store keeps, so every reader
 * of a store gives an event the same position.
 *
 * @param at when it happened, by the store's clock
 * @param which tells events of the same moment apart, and orders them
 */
public record EventPosition(Instant at, String which) implements Comparable<EventPosition> {
    /** Sorts after every printable text. */
    private static final String LAST = "~";

    private static final int MAX_LENGTH = 600;

    public EventPosition {
        at = at.truncatedTo(ChronoUnit.MICROS);
    }

    /** After everything that happened up to this moment. */
    public static EventPosition endOf(Instant moment) {
        return new EventPosition(moment, LAST);
    }

    /** @param number orders the events of one name that happened at the same moment */
    static EventPosition of(Instant at, String source, long number, Object name) {
        return new EventPosition(at, source + "." + padded(number) + "." + name);
    }

    /** With all digits, so that numbers are sorted as texts. */
    private static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(19 - digits.length()) + digits;
    }

    /** @throws IllegalArgumentException if this is not the text of a position */
    public static EventPosition parse(String text) {
        Text.printable("position of an event", text, MAX_LENGTH);
        int dot = text.indexOf('.');
        String micros = dot < 0 ? text : text.substring(0, dot);
        if (!micros.matches("[0-9]{1,17}")) {
            throw new IllegalArgumentException("this is not the position of an event: it must start with a number");
        }
        try {
            Instant at = Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
            return dot < 0 ? endOf(at) : new EventPosition(at, text.substring(dot + 1));
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("this is not the position of an event: it is too far in the future");
        }
    }

    public boolean isAfter(EventPosition other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(EventPosition other) {
        int byTime = at.compareTo(other.at);
        return byTime != 0 ? byTime : which.compareTo(other.which);
    }

    @Override
    public String toString() {
        long micros = Fields.micros(at);
        return which.equals(LAST) ? Long.toString(micros) : micros + "." + which;
    }
}
