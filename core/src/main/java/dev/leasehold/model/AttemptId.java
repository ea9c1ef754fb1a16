package dev.leasehold.model;

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

    @Override
    public String toString() {
        return value;
    }
}
