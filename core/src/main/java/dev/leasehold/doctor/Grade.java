package dev.leasehold.doctor;

/** What an examination came to. */
public enum Grade {
    /** No fault was seen, and the store says why none can occur. */
    ATOMIC("atomic"),
    /** No fault was seen. */
    OBSERVED("observed"),
    /** A fault was seen: tokens of this store mean nothing. */
    UNSAFE("unsafe - do not use");

    private final String words;

    Grade(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
