package dev.leasehold.model;

/**
 * A number that rises with every change of ownership of one lease name. It is the only authority: whoever shows a lower
 * token than a target has seen is too late, whatever it believes about itself.
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("token is " + value + ": tokens are whole numbers greater than 0");
        }
    }

    public static FencingToken of(long value) {
        return new FencingToken(value);
    }

    /** Reads a token as a person or a script wrote it. */
    public static FencingToken parse(String text) {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "token is not a number: tokens are whole numbers from 1 to " + Long.MAX_VALUE, e);
        }
        return new FencingToken(value);
    }

    public FencingToken next() {
        return new FencingToken(Math.addExact(value, 1));
    }

    public boolean isBelow(FencingToken other) {
        return value < other.value;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
