package dev.leasehold.doctor;

/** The overall result of an examination. */
public enum Grade {
    /** No fault was seen, and the store states why none can occur. */
    ATOMIC("atomic"),
    /** No fault was seen. */
    OBSERVED("observed"),
    /** A fault was seen: tokens of this store prove nothing. */
    UNSAFE("unsafe - do not use"),
    /** The examination was ended early, and no fault was seen until then. */
    UNKNOWN("unknown - the examination was interrupted");

    private final String words;

    Grade(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
