package dev.leasehold.jdbc;

import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A user's own table that carries its fence in a column of each row: a bigint that starts at zero or null. The check is a
 * condition of the update itself, so one statement guards one row, with or without a transaction around it:
 *
 * <pre>{@code
 * FencedTable orders = FencedTable.of("orders", "id", "fence");
 * Admission answer = orders.update(connection, lease.grant(), orderId, "status = ?, paid = ?", "paid", amount);
 * }</pre>
 *
 * <p>A column knows a token and nothing else: all rows must be guarded by one lease name of one store, and a store that went
 * back in time is not noticed here. Where that matters, use {@link JdbcFence}. Immutable.
 */
public final class FencedTable {
    private final String table;
    private final String key;
    private final String fence;

    private FencedTable(String table, String key, String fence) {
        this.table = identifier(table);
        this.key = identifier(key);
        this.fence = identifier(fence);
    }

    /** @param key the column that tells rows apart */
    public static FencedTable of(String table, String key, String fence) {
        return new FencedTable(table, key, fence);
    }

    /** Raises the row's fence before the first read, so that an older token cannot change it from then on. */
    public Admission raise(Connection connection, Grant grant, Object id) throws SQLException {
        return update(connection, grant, id, "");
    }

    /**
     * Changes one row if it has seen no higher token.
     *
     * @param assignments what stands after {@code set}, with a question mark for each of the values
     * @throws IllegalArgumentException if there is no such row
     */
    public Admission update(
            Connection connection, Grant grant, Object id, String assignments, @Nullable Object... values)
            throws SQLException {
        String sql = "update " + table + " set " + assignments + (assignments.isBlank() ? "" : ", ") + fence
                + " = ? where " + key + " = ? and coalesce(" + fence + ", 0) <= ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (Object value : values) {
                statement.setObject(index++, value);
            }
            statement.setLong(index++, grant.token().value());
            statement.setObject(index++, id);
            statement.setLong(index, grant.token().value());
            if (statement.executeUpdate() > 0) {
                return new Admission.Admitted(grant.token());
            }
        }
        return refusal(connection, grant, id);
    }

    private Admission refusal(Connection connection, Grant grant, Object id) throws SQLException {
        String sql = "select " + fence + " from " + table + " where " + key + " = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, id);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException(
                            table + " has no such row: nothing was written. Insert it first, with a fence of zero");
                }
                long raised = row.getLong(1);
                // Equal where the driver counts only rows that were given other values than they had.
                return raised == grant.token().value()
                        ? new Admission.Admitted(grant.token())
                        : new Admission.Stale(grant, FencingToken.of(raised));
            }
        }
    }

    private static String identifier(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*")) {
            throw new IllegalArgumentException("a table or column is named by letters, digits and underscores");
        }
        return name;
    }
}
