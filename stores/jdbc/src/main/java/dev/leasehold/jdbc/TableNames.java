package dev.leasehold.jdbc;

/** The names of the tables of a store. After a move the old tables stay under other names, which their clients do not use. */
enum TableNames {
    LIVE("leasehold_$1"),
    MOVED("leasehold_moved_$1");

    private static final String STORE_TABLE = "\\bleasehold_(lease|history|register)\\b";

    private final String replacement;

    TableNames(String replacement) {
        this.replacement = replacement;
    }

    /** The statement with these names in place of the usual ones. */
    String in(String sql) {
        return this == LIVE ? sql : sql.replaceAll(STORE_TABLE, replacement);
    }
}
