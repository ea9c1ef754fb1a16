package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What differs between databases. Everything else is standard SQL, in {@link LeaseStatements},
 * {@link JdbcRegister} and {@link JdbcFence}.
 *
 * <p>In the statements, <code>{clock}</code> stands for the server's clock in microseconds,
 * <code>{now}</code> for the store time of a row, and <code>{row}</code> for the columns that
 * {@link LeaseRow} reads.
 */
interface Dialect {
    /** The name of the database, for messages. */
    String product();

    /** The resource that creates the tables. */
    String schema();

    /** The server's clock in microseconds since 1970, read as late as the database allows. */
    String clock();

    /** The function that returns the larger of two numbers. */
    default String greatest() {
        return "greatest";
    }

    /**
     * Makes the attempt the owner if the name is new, if its deadline has passed or if {@code
     * :forced}. If {@code :seen} is not zero, an existing name changes hands only while its token
     * is {@code :seen}. Returns token, reason and time of the transfer; if nothing changed, no row
     * or a token of zero.
     */
    String take();

    /**
     * Asks for the answer of {@link #take}, on the same connection, if that statement cannot return it. Returns one row with
     * the token that it issued or zero, the token, reason and time of the row as it is now, and the history of the row
     * if somebody else has it by now.
     */
    default Optional<String> taken() {
        return Optional.empty();
    }

    /**
     * A source of one row with the column {@code floor}, see {@link dev.leasehold.spi.LeaseStore#floor}. It locks the row
     * against a rise, and returns what is in it once it is locked: a statement that began before a name was forgotten
     * must not use the floor of that time. The source is empty if the row does not exist yet.
     */
    default String floor() {
        return "(select token as floor from leasehold_lease where name = '' for share) f";
    }

    /** Whether {@link #floor} does not lock the row, so that it must be locked before {@link #take}. */
    default boolean locksFloorFirst() {
        return false;
    }

    /** Removes a free name whose token is {@code :token}. */
    default String forget() {
        return "delete from leasehold_lease where name = :name and token = :token and deadline <= {now}";
    }

    /** Whether {@link #forget} does not remove the history of the name, which another table has. */
    default boolean forgetLeavesHistory() {
        return false;
    }

    /** A cheaper {@link #take} for an ordinary acquire of a name that most likely exists. */
    default Optional<String> takeExisting() {
        return Optional.empty();
    }

    /**
     * Removes all but the latest {@code :kept} transfers of a name, if {@link #take} does not do so
     * itself.
     */
    default Optional<String> trimHistory() {
        return Optional.empty();
    }

    /**
     * Extends the deadlines of all current grants in a {@link #batch}, and returns name, deadline
     * and store time of each.
     */
    String renew();

    /** Asks for the answer of {@link #renew}, with the same parameters, if that statement cannot return it. */
    default Optional<String> renewed() {
        return Optional.empty();
    }

    /** The parameters of {@link #renew}. */
    SqlParameters batch(Connection connection, List<RenewRequest> requests) throws SQLException;

    /**
     * Extends an update that frees a name so that it wakes the clients that wait for the name.
     *
     * @param window an expression, see {@link Wakeups#windowMicros}
     */
    default String notifyingWaiters(String update, String window) {
        return update;
    }

    /**
     * Extends an update so that it commits without waiting for the disk, if a statement can request
     * that.
     */
    default Optional<String> withoutSync(String update) {
        return Optional.empty();
    }

    /**
     * Releases the grants of a {@link #batch} that are still held, and returns once this and every
     * earlier commit is on disk.
     */
    default Optional<String> confirmReleases() {
        return Optional.empty();
    }

    /**
     * The steps of many callers in one statement each, if the database can.
     *
     * @param windows the microseconds that go with a release, see {@link Wakeups#windowMicros}
     */
    default Optional<PostgresBatches> batches(
            Database database, TableNames names, StoreId store, Function<LeaseName, Long> windows) {
        return Optional.empty();
    }

    /** Whether many fences can be raised by one statement that skips locked rows. */
    default boolean sharesRaises() {
        return false;
    }

    /** Whether a row carries its history as text; otherwise a second table holds it. */
    boolean historyInRow();

    /** The columns of a lease that only this database has, each after a comma. */
    String ownColumns();

    /** Their values in a lease that comes from another store. */
    String ownValues();

    /** Inserts a transfer that comes from another store, if a second table holds the history. */
    default String insertHistory() {
        return "";
    }

    /** Inserts a row, or does nothing if its key exists. */
    default String insertIfAbsent(String table, String columns, String values) {
        return "insert into " + table + " (" + columns + ") values (" + values + ") on conflict do nothing";
    }

    /** Makes a read inside a transaction lock the row until the transaction ends. */
    default String lockingRead() {
        return " for update";
    }

    /**
     * Like {@link #insertIfAbsent}, and locks the row for the caller's transaction even if it
     * existed before.
     */
    default String insertAndLock(String table, String columns, String values) {
        return insertIfAbsent(table, columns, values);
    }

    /** Whether the server itself reported that the statement changed nothing. */
    default boolean provesThatNothingHappened(SQLException e) {
        return SqlFailures.provesThatNothingHappened(e);
    }

    /** Whether the server undid the statement for a reason that may not recur. */
    boolean isRetryable(SQLException e);

    /** Server settings that can lose acknowledged commits. */
    List<String> warnings(Connection connection) throws SQLException;

    /** Why this server cannot keep leases with its current settings, or empty. */
    default Optional<String> unusable(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Wakes waiters when names become free, if the database can.
     *
     * @param busy learns from the messages too
     */
    default Optional<Wakeups> wakeups(Database database, RecentNames busy) {
        return Optional.empty();
    }

    /** The statement with its placeholders filled in. */
    default NamedSql sql(String text) {
        String filled = text.replace("{floor}", floor())
                .replace("{now}", greatest() + "(seen, {clock})")
                .replace("{row}", LeaseRow.COLUMNS)
                .replace("{greatest}", greatest())
                .replace("{clock}", clock());
        return new NamedSql(filled);
    }
}
