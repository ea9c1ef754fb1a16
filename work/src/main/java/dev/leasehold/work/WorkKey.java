package dev.leasehold.work;

import dev.leasehold.model.Text;

/**
 * Names a piece of work that must be done once: a date, an order number, a slot such as {@code
 * nightly@2026-01-01T00:00:00Z}. Any printable ASCII without blanks and {@code #}, which is
 * reserved for the ids of effects.
 */
public record WorkKey(String value) implements Comparable<WorkKey> {
    public static final int MAX_LENGTH = 200;

    public WorkKey {
        Text.printable("work key", value, MAX_LENGTH);
        refuse(value, ' ', "blanks are not allowed");
        refuse(value, '#', "it is reserved for the ids of effects");
    }

    public static WorkKey of(String value) {
        return new WorkKey(value);
    }

    private static void refuse(String value, char c, String why) {
        int at = value.indexOf(c);
        if (at >= 0) {
            throw new IllegalArgumentException(
                    "work key has the character '" + c + "' at position " + (at + 1) + ": " + why);
        }
    }

    @Override
    public int compareTo(WorkKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
