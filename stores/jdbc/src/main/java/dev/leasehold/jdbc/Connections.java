package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A source of connections in autocommit mode that never join a caller's transaction. Safe for use
 * by many threads.
 */
interface Connections extends AutoCloseable {
    /** If this throws, no statement was sent. */
    Connection take() throws SQLException;

    /** Exempts a connection from the answer timeout, because it will listen and may stay silent. */
    default void exemptFromTimeout(Connection connection) {}

    /**
     * Whether callers have waited so long for a connection that idle listeners should give theirs
     * back.
     */
    default boolean isStarved() {
        return false;
    }

    void giveBack(Connection connection);

    /** Returns a connection whose state is unknown. */
    void discard(Connection connection);

    @Override
    void close();
}
