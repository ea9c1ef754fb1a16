package dev.leasehold.doctor;

/** One thing that was found out, in a sentence with the evidence. */
public record Finding(Kind kind, String text) {
    /** The severity of a finding. */
    public enum Kind {
        /** As it should be. */
        GOOD,
        /** Works, but look at it. */
        WARNING,
        /** The store broke its promise. */
        FAULT
    }

    public static Finding good(String text) {
        return new Finding(Kind.GOOD, text);
    }

    public static Finding warning(String text) {
        return new Finding(Kind.WARNING, text);
    }

    public static Finding fault(String text) {
        return new Finding(Kind.FAULT, text);
    }
}
