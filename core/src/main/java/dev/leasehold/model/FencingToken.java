package dev.leasehold.model;

import org.jspecify.annotations.Nullable;

/**
 * A number that rises with every change of ownership of a lease name. It is the only authority: a
 * holder with a lower token than the target has seen is too late, whatever it believes.
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

    /** Reads a token from text. */
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

    // Not generated, for the reason given in LeaseName.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FencingToken token && value == token.value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
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
