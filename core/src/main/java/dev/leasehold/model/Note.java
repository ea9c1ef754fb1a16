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

    /**
     * As much of any text as a note can hold. Characters that are not printable become question
     * marks.
     */
    public static Note clipped(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_LENGTH; i++) {
            char c = text.charAt(i);
            shown.append(Text.isPrintable(c) ? c : '?');
        }
        return new Note(shown.isEmpty() ? "?" : shown.toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
