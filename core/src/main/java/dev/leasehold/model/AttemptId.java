package dev.leasehold.model;

import org.jspecify.annotations.Nullable;

/**
 * A random id, drawn once for an acquire call and sent with all its polls and retries. A caller
 * whose reply was lost gets its own grant back and is not locked out by itself. A target can detect
 * two grants with the same token.
 */
public record AttemptId(String value) {
    public AttemptId {
        Text.identifier("attempt id", value, 8, 64, "_-");
    }

    public static AttemptId of(String value) {
        return new AttemptId(value);
    }

    /**
     * Written by hand: the generated method is linked at its first use, which noticeably slows
     * start-up.
     */
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
