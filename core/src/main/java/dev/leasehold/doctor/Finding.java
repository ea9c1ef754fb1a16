package dev.leasehold.doctor;

/** One thing that was found out, in a sentence with the evidence. */
public record Finding(Kind kind, String text) {
    public enum Kind {
        /** As it should be. */
        GOOD,
        /** Works, but look at it. */
        WARNING,
        /** The store broke its promise. */
        FAULT
    }

    static Finding good(String text) {
        return new Finding(Kind.GOOD, text);
    }

    static Finding warning(String text) {
        return new Finding(Kind.WARNING, text);
    }

    static Finding fault(String text) {
        return new Finding(Kind.FAULT, text);
    }
}
