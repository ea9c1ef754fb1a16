package dev.leasehold.model;

/** Short free text: an operator's reason, a note on progress. */
public record Note(String value) {
    public static final int MAX_LENGTH = 500;

    public Note {
        Text.printable("note", value, MAX_LENGTH);
    }

    public static Note of(String value) {
        return new Note(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
