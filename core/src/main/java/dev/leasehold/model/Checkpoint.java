package dev.leasehold.model;

/** Where a run got to, in the words of the work itself. */
public record Checkpoint(String value) {
    public static final int MAX_LENGTH = 4096;

    public Checkpoint {
        Text.printable("checkpoint", value, MAX_LENGTH);
    }

    public static Checkpoint of(String value) {
        return new Checkpoint(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
