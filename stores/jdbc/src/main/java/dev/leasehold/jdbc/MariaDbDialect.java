package dev.leasehold.jdbc;

import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * MariaDB 10.6 and later. MariaDB has no RETURNING for updates, so a statement that must return
 * rows is an insert that meets an existing row. Its assignments run from left to right, each seeing
 * the ones before it: the first one decides, the others follow it, and no column that the decision
 * reads is set before it.
 */
final class MariaDbDialect implements Dialect {
    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT = 1205;
    private static final int ROW_CHANGED = 1020;

    @Override
    public String product() {
        return "MariaDB";
    }

    @Override
    public String schema() {
        return "mariadb.sql";
    }

    /**
     * The statement's start in UTC plus the time since. sysdate() alone is current but in local
     * time, which is ambiguous when daylight saving time ends; the bound ignores a change of it in
     * the middle of a statement.
     */
    @Override
    public String clock() {
        return "(timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))"
                + " + if(timestampdiff(microsecond, now(6), sysdate(6)) between 0 and 600000000,"
                + " timestampdiff(microsecond, now(6), sysdate(6)), 0))";
    }

    /** The limit keeps MariaDB from reading the clock again for each use of its value. */
    @Override
    public String take() {
        return """
                insert into leasehold_lease (name, token, attempt, holder, reason, note, acquired, deadline, term, released,
                    seen, history, took)
                select v.name, v.above + 1, v.attempt, v.holder, v.reason, v.note, v.clock, v.clock + v.ttl, v.ttl,
                    v.leaves_free, v.clock, concat_ws(' ', v.above + 1, v.clock, v.reason, v.attempt, length(v.holder),
                    concat(v.holder, coalesce(v.note, ''))), 1
                from (select :name as name, greatest(:above, floor) as above, :attempt as attempt, :holder as holder,
                          coalesce(:kind, 'first') as reason, :note as note, :ttl as ttl, :leaves_free as leaves_free,
                          {clock} as clock
                      from {floor} limit 1) v
                on duplicate key update
                    took = leasehold_lease.attempt <> values(attempt)
                        and (:forced or deadline <= greatest(seen, {clock}))
                        and (:seen = 0 or token = :seen),
                    seen = if(took, greatest(seen, {clock}), seen),
                    token = if(took, greatest(token, :above) + 1, token),
                    leasehold_lease.reason = if(took,
                        coalesce(:kind, if(released, 'released', 'expired')), leasehold_lease.reason),
                    released = if(took, values(released), released),
                    acquired = if(took, seen, acquired),
                    deadline = if(took, seen + values(term), deadline),
                    term = if(took, values(term), term),
                    leasehold_lease.holder = if(took, values(holder), leasehold_lease.holder),
                    leasehold_lease.note = if(took, values(note), leasehold_lease.note),
                    progress_at = if(took, null, progress_at),
                    progress_note = if(took, null, progress_note),
                    checkpoint = if(took, null, checkpoint),
                    leasehold_lease.attempt = if(took, values(attempt), leasehold_lease.attempt),
                    history = if(took, concat(
                        concat_ws(' ', token, acquired, leasehold_lease.reason, leasehold_lease.attempt,
                            length(leasehold_lease.holder),
                            concat(leasehold_lease.holder, coalesce(leasehold_lease.note, ''))),
                        char(10), substring_index(history, char(10), 63)), history)
                returning if(took, token, 0), reason, acquired""";
    }

    @Override
    public String floor() {
        return "(select token as floor from leasehold_lease where name = '' lock in share mode) f";
    }

    @Override
    public String renew() {
        return """
                insert into leasehold_lease (name, token, attempt, holder, reason, acquired, deadline, term, released,
                    seen, history, took)
                select b.b_name, b.b_token, b.b_attempt, '', '', 0, 0, b.b_ttl, false, 0, '', 0
                from (select l.name as b_name, a.token as b_token, coalesce(a.attempt, l.attempt) as b_attempt,
                          a.ttl as b_ttl
                      from json_table(:batch, '$[*]' columns (name varchar(200) path '$[0]', token bigint path '$[1]',
                               attempt varchar(64) path '$[2]', ttl bigint path '$[3]')) a
                      join leasehold_lease l on l.name = cast(a.name as binary)) b
                on duplicate key update
                    took = token = values(token) and attempt = values(attempt) and not released
                        and deadline > greatest(seen, {clock}),
                    seen = if(took, greatest(seen, {clock}), seen),
                    term = if(took and seen + values(term) > deadline, values(term), term),
                    deadline = if(took, greatest(deadline, seen + values(term)), deadline)
                returning if(took, name, ''), deadline, seen""";
    }

    @Override
    public SqlParameters batch(Connection connection, List<RenewRequest> requests) {
        return BatchParameters.json(requests);
    }

    @Override
    public String ownColumns() {
        return ", history, took";
    }

    @Override
    public String ownValues() {
        return ", :history, 0";
    }

    @Override
    public boolean historyInRow() {
        return true;
    }

    @Override
    public String insertIfAbsent(String table, String columns, String values) {
        return "insert ignore into " + table + " (" + columns + ") values (" + values + ")";
    }

    /**
     * INSERT IGNORE would take a shared lock on an existing row, and two transactions that then
     * write would deadlock.
     */
    @Override
    public String insertAndLock(String table, String columns, String values) {
        String key = columns.substring(0, columns.indexOf(','));
        return "insert into " + table + " (" + columns + ") values (" + values + ") on duplicate key update " + key
                + " = " + key;
    }

    @Override
    public boolean isRetryable(SQLException e) {
        return e.getErrorCode() == DEADLOCK || e.getErrorCode() == LOCK_WAIT || e.getErrorCode() == ROW_CHANGED;
    }

    @Override
    public Optional<String> unusable(Connection connection) throws SQLException {
        List<String> mode = Database.rows(
                connection, new NamedSql("select @@sql_mode"), new SqlParameters(), row -> row.getString(1));
        return mode.get(0).contains("SIMULTANEOUS_ASSIGNMENT")
                ? Optional.of("MariaDB runs with sql_mode SIMULTANEOUS_ASSIGNMENT, which changes the meaning of"
                        + " Leasehold's statements: connect without it")
                : Optional.empty();
    }

    @Override
    public List<String> warnings(Connection connection) throws SQLException {
        List<Integer> flush = Database.rows(
                connection,
                new NamedSql("select @@innodb_flush_log_at_trx_commit"),
                new SqlParameters(),
                row -> row.getInt(1));
        return flush.get(0) == 1
                ? List.of()
                : List.of("MariaDB runs with innodb_flush_log_at_trx_commit=" + flush.get(0)
                        + ": a crash can lose grants that were acknowledged, and their tokens would be issued again");
    }
}
