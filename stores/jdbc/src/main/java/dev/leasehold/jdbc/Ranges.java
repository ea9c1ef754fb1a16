package dev.leasehold.jdbc;

/** The keys that start with a prefix, as a range that an index can answer. */
final class Ranges {
    /** Comes after every character that a name or a key may have. */
    private static final char BEYOND = 0x7f;

    private Ranges() {}

    static SqlParameters page(String prefix, String after, int limit) {
        return SqlParameters.of("first", prefix)
                .and("last", prefix + BEYOND)
                .and("after", after)
                .and("limit", (long) limit);
    }
}
