package dev.leasehold.jdbc;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A user's table whose rows carry their fence in a column: a bigint that starts at zero or null.
 * The check is a condition of the update, so one statement guards one row, with or without a
 * transaction around it:
 * <pre>{@code
 * FencedTable orders = FencedTable.of("orders", "id", "fence");
 * Admission answer = orders.update(connection, lease.grant(), orderId, "status = ?, paid = ?", "paid", amount);
 * }</pre>
 * <p>The column holds only a token: all rows must be guarded by one lease name of one store, and
 * this fence does not detect a store that went back in time. Where that matters, use {@link
 * JdbcFence}. Immutable.
 */
public final class FencedTable {
    private static final int MAX_TRIES = 8;

    private final String table;
    private final String key;
    private final String fence;

    private FencedTable(String table, String key, String fence) {
        this.table = identifier(table);
        this.key = identifier(key);
        this.fence = identifier(fence);
    }

    /** @param key the column that identifies a row */
    public static FencedTable of(String table, String key, String fence) {
        return new FencedTable(table, key, fence);
    }

    /**
     * Raises the row's fence before the first read, so that an older token can no longer change the
     * row.
     */
    public Admission raise(Connection connection, Grant grant, Object id) throws SQLException {
        return update(connection, grant, id, "");
    }

    /**
     * Changes one row if its fence has seen no higher token.
     *
     * @param assignments the text after {@code set}, with a question mark for each value
     * @throws IllegalArgumentException if there is no such row
     * @throws SQLException if the database failed or undid the transaction, for example because its
     *     snapshot is older than a successor's write. Nothing was admitted: roll back, and ask
     *     again in a new transaction
     */
    public Admission update(
            Connection connection, Grant grant, Object id, String assignments, @Nullable Object... values)
            throws SQLException {
        String sql = "update " + table + " set " + assignments + (assignments.isBlank() ? "" : ", ") + fence
                + " = ? where " + key + " = ? and coalesce(" + fence + ", 0) <= ?";
        long token = grant.token().value();
        for (int tries = 1; ; tries++) {
            if (changes(connection, sql, token, id, values)) {
                return new Admission.Admitted(grant.token());
            }
            long raised = lockedFence(connection, id);
            if (raised > token) {
                return new Admission.Stale(grant, FencingToken.of(raised));
            }
            if (tries > 1 && raised == token) {
                // The driver counts only rows whose values changed, and this row had them already.
                return new Admission.Admitted(grant.token());
            }
            if (tries == MAX_TRIES) {
                throw new TargetUnavailableException(
                        "the update of a row of " + table + " changed nothing, although its fence is "
                                + raised + " and admits token " + token
                                + ": nothing was written. Check for a trigger, a rule or a view that drops updates");
            }
            // The update skipped a value that was never committed. The row is locked now, so the
            // next update is right.
        }
    }

    private static boolean changes(Connection connection, String sql, long token, Object id, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (Object value : values) {
                statement.setObject(index++, value);
            }
            statement.setLong(index++, token);
            statement.setObject(index++, id);
            statement.setLong(index, token);
            return statement.executeUpdate() > 0;
        }
    }

    /**
     * Reads the row version that the update saw. A plain read would use the transaction's snapshot,
     * which may be older than a successor's write, and would return the fence that the caller
     * raised itself.
     */
    private long lockedFence(Connection connection, Object id) throws SQLException {
        // In SQLite the preceding update has locked the whole file.
        String lock = connection.getMetaData().getDatabaseProductName().equalsIgnoreCase("SQLite") ? "" : " for update";
        String sql = "select " + fence + " from " + table + " where " + key + " = ?" + lock;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, id);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException(
                            table + " has no such row: nothing was written. Insert it first, with a fence of zero");
                }
                return row.getLong(1);
            }
        }
    }

    private static String identifier(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*")) {
            throw new IllegalArgumentException("a table or column name consists of letters, digits and underscores");
        }
        return name;
    }
}
