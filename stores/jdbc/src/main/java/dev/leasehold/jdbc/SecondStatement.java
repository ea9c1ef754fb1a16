package dev.leasehold.jdbc;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.LeaseStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The statement that asks what the one before it did, in a database whose writes return no rows. The step is
 * done by then, so a failure means that its outcome is unknown, whatever the server says about this statement.
 */
final class SecondStatement {
    /** Transaction resolution unknown. */
    private static final String UNKNOWN = "08007";

    private SecondStatement() {}

    @FunctionalInterface
    interface Question<T> {
        T ask() throws SQLException;
    }

    static <T> T answer(Question<T> question) throws SQLException {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw new SQLException(e.getMessage(), UNKNOWN, e);
        }
    }

    /** Whether the take before it made the claim the owner, see {@link Dialect#taken}. */
    static Optional<Acquisition> taken(Connection connection, NamedSql sql, OwnershipRequest claim, StoreId id)
            throws SQLException {
        SqlParameters name = SqlParameters.of("name", claim.name().value());
        return answer(() -> Database.rows(connection, sql, name, row -> taken(row, claim, id))
                .get(0));
    }

    /** If the name has changed hands since, its history tells when and why the claim got it. */
    private static Optional<Acquisition> taken(ResultSet row, OwnershipRequest claim, StoreId id) throws SQLException {
        long issued = row.getLong(1);
        if (issued == 0) {
            return Optional.empty();
        }
        if (row.getLong(2) == issued) {
            return Optional.of(claim.granted(
                    issued, TransferReason.ofWord(row.getString(3)), LeaseRow.instant(row.getLong(4)), id));
        }
        String history = row.getString(5);
        for (Transfer past : HistoryText.parse(history == null ? "" : history, LeaseStore.HISTORY_KEPT)) {
            if (past.token().value() == issued) {
                return Optional.of(claim.granted(issued, past.reason(), past.at(), id));
            }
        }
        // The name was forgotten meanwhile, or changed hands many times: the grant is over in any case.
        return Optional.of(new Acquisition.Spent());
    }
}
