package dev.leasehold.jdbc;

import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What MariaDB and MySQL have in common. Neither has RETURNING for updates, so a statement that must
 * report what it did to an existing row is an insert that meets the row. Its assignments run from left to
 * right, each seeing the ones before it: the first one decides, the others follow it, and no column that
 * the decision reads is set before it.
 */
abstract class InnoDbDialect implements Dialect {
    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT = 1205;
    private static final int ROW_CHANGED = 1020;

    /**
     * The statement's start in UTC plus the time since. sysdate() alone is current but in local
     * time, which is ambiguous when daylight saving time ends; the bound ignores a change of it in
     * the middle of a statement.
     */
    @Override
    public final String clock() {
        return "(timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))"
                + " + if(timestampdiff(microsecond, now(6), sysdate(6)) between 0 and 600000000,"
                + " timestampdiff(microsecond, now(6), sysdate(6)), 0))";
    }

    /** What {@link #take} does to an existing row if it makes the attempt its owner. */
    static final String MAY_TAKE =
            """
            leasehold_lease.attempt <> :attempt
                        and (:forced or deadline <= greatest(seen, {clock}))
                        and (:seen = 0 or token = :seen)""";

    /** What {@link #renew} requires of a row. */
    static final String MAY_RENEW =
            """
            token = b.b_token and attempt = b.b_attempt and not released
                        and deadline > greatest(seen, {clock})""";

    /**
     * The limit keeps the server from reading the clock again for each use of its value.
     *
     * @param made the value of {@code took} in a new row
     * @param decision the value of {@code took} in an existing row: zero, unless {@link #MAY_TAKE}
     */
    static String take(String made, String decision) {
        return """
                insert into leasehold_lease (name, token, attempt, holder, reason, note, acquired, deadline, term, released,
                    seen, history, took)
                select v.name, v.above + 1, v.attempt, v.holder, v.reason, v.note, v.clock, v.clock + v.ttl, v.ttl,
                    v.leaves_free, v.clock, concat_ws(' ', v.above + 1, v.clock, v.reason, v.attempt, length(v.holder),
                    concat(v.holder, coalesce(v.note, ''))), %s
                from (select :name as name, greatest(:above, floor) as above, :attempt as attempt, :holder as holder,
                          coalesce(:kind, 'first') as reason, :note as note, :ttl as ttl, :leaves_free as leaves_free,
                          {clock} as clock
                      from {floor} limit 1) v
                on duplicate key update
                    took = %s,
                    seen = if(took, greatest(seen, {clock}), seen),
                    token = if(took, greatest(token, :above) + 1, token),
                    leasehold_lease.reason = if(took,
                        coalesce(:kind, if(released, 'released', 'expired')), leasehold_lease.reason),
                    released = if(took, :leaves_free, released),
                    acquired = if(took, seen, acquired),
                    deadline = if(took, seen + :ttl, deadline),
                    term = if(took, :ttl, term),
                    leasehold_lease.holder = if(took, :holder, leasehold_lease.holder),
                    leasehold_lease.note = if(took, :note, leasehold_lease.note),
                    progress_at = if(took, null, progress_at),
                    progress_note = if(took, null, progress_note),
                    checkpoint = if(took, null, checkpoint),
                    leasehold_lease.attempt = if(took, :attempt, leasehold_lease.attempt),
                    history = if(took, concat(
                        concat_ws(' ', token, acquired, leasehold_lease.reason, leasehold_lease.attempt,
                            length(leasehold_lease.holder),
                            concat(leasehold_lease.holder, coalesce(leasehold_lease.note, ''))),
                        char(10), substring_index(history, char(10), 63)), history)"""
                .formatted(made, decision);
    }

    @Override
    public final String floor() {
        return "(select token as floor from leasehold_lease where name = '' lock in share mode) f";
    }

    /**
     * The rows are locked when they are read: a name that was forgotten in between would be made again. Without the
     * index, which the server does not choose for a small table, all rows would be locked.
     *
     * @param locking locks the rows of {@code l}
     * @param decision the value of {@code took}: zero, unless {@link #MAY_RENEW}
     */
    static String renew(String locking, String decision) {
        return """
                insert into leasehold_lease (name, token, attempt, holder, reason, acquired, deadline, term, released,
                    seen, history, took)
                select b.b_name, b.b_token, b.b_attempt, '', '', 0, 0, b.b_ttl, false, 0, '', 0
                from (select l.name as b_name, a.token as b_token, coalesce(a.attempt, l.attempt) as b_attempt,
                          a.ttl as b_ttl
                      from {batch} a
                      straight_join leasehold_lease l force index (primary) on l.name = cast(a.name as binary)
                      %s) b
                on duplicate key update
                    took = %s,
                    seen = if(took, greatest(seen, {clock}), seen),
                    term = if(took and seen + b.b_ttl > deadline, b.b_ttl, term),
                    deadline = if(took, greatest(deadline, seen + b.b_ttl), deadline)"""
                .formatted(locking, decision)
                .replace("{batch}", BATCH);
    }

    /** The rows of {@link #batch}. */
    static final String BATCH =
            """
            json_table(:batch, '$[*]' columns (name varchar(200) path '$[0]', token bigint path '$[1]',
                               attempt varchar(64) path '$[2]', ttl bigint path '$[3]'))""";

    @Override
    public SqlParameters batch(Connection connection, List<RenewRequest> requests) {
        return BatchParameters.json(requests);
    }

    @Override
    public final String ownColumns() {
        return ", history, took";
    }

    @Override
    public final String ownValues() {
        return ", :history, 0";
    }

    @Override
    public final boolean historyInRow() {
        return true;
    }

    @Override
    public final String insertIfAbsent(String table, String columns, String values) {
        return "insert ignore into " + table + " (" + columns + ") values (" + values + ")";
    }

    /**
     * INSERT IGNORE would take a shared lock on an existing row, and two transactions that then
     * write would deadlock.
     */
    @Override
    public final String insertAndLock(String table, String columns, String values) {
        String key = columns.substring(0, columns.indexOf(','));
        return "insert into " + table + " (" + columns + ") values (" + values + ") on duplicate key update " + key
                + " = " + key;
    }

    @Override
    public final boolean isRetryable(SQLException e) {
        return e.getErrorCode() == DEADLOCK || e.getErrorCode() == LOCK_WAIT || e.getErrorCode() == ROW_CHANGED;
    }

    /** After a crash, a server with a binary log takes back what the log does not have. */
    @Override
    public final List<String> warnings(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        warn(connection, "innodb_flush_log_at_trx_commit", "@@innodb_flush_log_at_trx_commit", found);
        warn(connection, "sync_binlog", "if(@@log_bin, @@sync_binlog, 1)", found);
        return found;
    }

    private void warn(Connection connection, String setting, String value, List<String> found) throws SQLException {
        long set = Database.rows(
                        connection, new NamedSql("select " + value), new SqlParameters(), row -> row.getLong(1))
                .get(0);
        if (set != 1) {
            found.add(product() + " runs with " + setting + "=" + set
                    + ": a crash can lose grants that were acknowledged, and their tokens would be issued again");
        }
    }
}
