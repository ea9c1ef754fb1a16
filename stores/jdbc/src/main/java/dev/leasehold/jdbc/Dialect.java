package dev.leasehold.jdbc;

import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What differs between databases. All else is standard SQL, in {@link LeaseStatements}, {@link JdbcRegister} and {@link
 * JdbcFence}.
 *
 * <p>In the texts, <code>{clock}</code> stands for the server's clock in microseconds, <code>{now}</code> for the store time
 * of a row, and <code>{row}</code> for the columns that {@link LeaseRow} reads.
 */
interface Dialect {
    /** The database's name, for people. */
    String product();

    /** The resource with the tables. */
    String schema();

    /** The server's clock, in microseconds since 1970, at the moment it is asked, as far as the database can tell that. */
    String clock();

    /** The larger one of two numbers. */
    default String greatest() {
        return "greatest";
    }

    /**
     * Makes the attempt the owner if the name is new, if its deadline has passed or if {@code :forced}; of a name that is
     * not new only while its token is {@code :seen}, unless that is zero. Answers with token, reason and time of the transfer;
     * where nothing changed, with nothing or with a token of zero.
     */
    String take();

    /** The same as an ordinary {@link #take} for a name that is most likely there, where that can be had cheaper. */
    default Optional<String> takeExisting() {
        return Optional.empty();
    }

    /** Removes all but the latest {@code :kept} transfers of a name, where taking does not see to that itself. */
    default Optional<String> trimHistory() {
        return Optional.empty();
    }

    /** Moves the deadlines of all current grants of a {@link #batch}, and answers with name, deadline and store time of each. */
    String renew();

    /** The parameters of {@link #renew}. */
    SqlParameters batch(Connection connection, List<RenewRequest> requests) throws SQLException;

    /** Adds to a plain update that frees a name whatever wakes those who wait for it. */
    default String notifyingWaiters(String update) {
        return update;
    }

    /** Adds to a plain update what lets it end before it is on the disk, where a statement can choose that for itself. */
    default Optional<String> withoutSync(String update) {
        return Optional.empty();
    }

    /** Releases those of a {@link #batch} that are not, and ends when that and all that came before it is on the disk. */
    default Optional<String> confirmReleases() {
        return Optional.empty();
    }

    /** Whether a row carries its history as text; otherwise it is a table beside it. */
    boolean historyInRow();

    /** Inserts a row, or does nothing if its key is taken. */
    default String insertIfAbsent(String table, String columns, String values) {
        return "insert into " + table + " (" + columns + ") values (" + values + ") on conflict do nothing";
    }

    /** What makes a read inside a transaction keep the row from others until the end of it. */
    default String lockingRead() {
        return " for update";
    }

    /** The same for the caller's own transaction, which then owns the row whoever made it. */
    default String insertAndLock(String table, String columns, String values) {
        return insertIfAbsent(table, columns, values);
    }

    /** Whether the server itself said that the statement changed nothing. */
    default boolean provesThatNothingHappened(SQLException e) {
        return SqlFailures.provesThatNothingHappened(e);
    }

    /** Whether the statement was undone by the server for a reason that may be gone at the next try. */
    boolean isRetryable(SQLException e);

    /** Settings of the server that can lose what was acknowledged. */
    List<String> warnings(Connection connection) throws SQLException;

    /** Why no lease may be kept on this server, as it is set up now. */
    default Optional<String> unusable(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Tells when names become free, if the database can.
     *
     * @param woken is told the name as well
     */
    default Optional<Wakeups> wakeups(Database database, Consumer<String> woken) {
        return Optional.empty();
    }

    /** The text with its fragments filled in. */
    default NamedSql sql(String text) {
        String filled = text.replace("{now}", greatest() + "(seen, {clock})")
                .replace("{row}", LeaseRow.COLUMNS)
                .replace("{greatest}", greatest())
                .replace("{clock}", clock());
        return new NamedSql(filled);
    }
}
