package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from: in autocommit, never part of anybody's transaction. Safe for use by many threads. */
interface Connections extends AutoCloseable {
    /** An exception from here means that no statement was sent. */
    Connection take() throws SQLException;

    /** For a connection that will listen for long: its silence means nothing from now on. */
    default void exemptFromTimeout(Connection connection) {}

    /** Whether somebody has been waiting for a connection, and nobody got one, for so long that those who keep one should not. */
    default boolean isStarved() {
        return false;
    }

    void giveBack(Connection connection);

    /** For a connection in an unknown state. */
    void discard(Connection connection);

    @Override
    void close();
}
