package dev.leasehold.doctor;

/** One result of an examination, as a sentence with its evidence. */
public record Finding(Kind kind, String text) {
    /** The severity of a finding. */
    public enum Kind {
        /** As it should be. */
        GOOD,
        /** It works, but needs attention. */
        WARNING,
        /** The store broke a promise. */
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
