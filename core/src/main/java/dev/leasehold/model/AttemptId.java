package dev.leasehold.model;

import org.jspecify.annotations.Nullable;

/**
 * A random id, drawn once for an acquire call and sent with all its polls and retries. It lets a caller whose reply was
 * lost get its own grant back instead of being locked out by itself, and lets a target notice two grants with one token.
 */
public record AttemptId(String value) {
    public AttemptId {
        Text.identifier("attempt id", value, 8, 64, "_-");
    }

    public static AttemptId of(String value) {
        return new AttemptId(value);
    }

    /** Spelled out because every acquire compares ids: the generated one is linked at first use, which start-up would pay. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttemptId id && value.equals(id.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
