package dev.leasehold.model;

/** How far a run has come, in a form that the work defines. */
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
