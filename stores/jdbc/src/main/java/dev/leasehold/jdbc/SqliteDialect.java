package dev.leasehold.jdbc;

import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** SQLite 3.38 and later, in a file on a local disk. */
final class SqliteDialect implements Dialect {
    private static final int BUSY = 5;
    private static final int IO_ERROR = 10;
    private static final int CORRUPT = 11;

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public String schema() {
        return "sqlite.sql";
    }

    /**
     * Constant within a statement, and read after the wait for the file's write lock. In
     * milliseconds.
     */
    @Override
    public String clock() {
        return "(cast(round((julianday('now') - 2440587.5) * 86400000) as integer) * 1000)";
    }

    @Override
    public String greatest() {
        return "max";
    }

    @Override
    public String take() {
        return """
                insert into leasehold_lease as l (name, token, attempt, holder, reason, note, acquired, deadline,
                    term, released, seen, transfers)
                select :name, max(:above, floor) + 1, :attempt, :holder, coalesce(:kind, 'first'), :note, {clock},
                    {clock} + :ttl, :ttl, :leaves_free, {clock}, 1
                from {floor} where true
                on conflict (name) do update
                set token = max(l.token, :above) + 1, attempt = excluded.attempt, holder = excluded.holder,
                    reason = coalesce(:kind, case when l.released then 'released' else 'expired' end),
                    note = excluded.note, term = excluded.term, released = excluded.released,
                    progress_at = null, progress_note = null, checkpoint = null, transfers = l.transfers + 1,
                    acquired = max(l.seen, {clock}), deadline = max(l.seen, {clock}) + excluded.term,
                    seen = max(l.seen, {clock})
                where l.attempt <> excluded.attempt and (:forced or l.deadline <= max(l.seen, {clock}))
                  and (:seen = 0 or l.token = :seen)
                returning token, reason, acquired""";
    }

    /** A writer locks the whole file, so nobody raises the floor meanwhile. */
    @Override
    public String floor() {
        return "(select token as floor from leasehold_lease where name = '') f";
    }

    @Override
    public boolean forgetLeavesHistory() {
        return true;
    }

    @Override
    public String renew() {
        return """
                update leasehold_lease as l
                set term = case when max(l.seen, {clock}) + a.ttl > l.deadline then a.ttl else l.term end,
                    deadline = max(l.deadline, max(l.seen, {clock}) + a.ttl),
                    seen = max(l.seen, {clock})
                from (select json_extract(value, '$[0]') as name, json_extract(value, '$[1]') as token,
                          json_extract(value, '$[2]') as attempt, json_extract(value, '$[3]') as ttl
                      from json_each(:batch)) as a
                where l.name = a.name and l.token = a.token and l.attempt = coalesce(a.attempt, l.attempt)
                  and not l.released and l.deadline > max(l.seen, {clock})
                returning name, deadline, seen""";
    }

    @Override
    public SqlParameters batch(Connection connection, List<RenewRequest> requests) {
        return BatchParameters.json(requests);
    }

    @Override
    public String ownColumns() {
        return ", transfers";
    }

    @Override
    public String ownValues() {
        return ", :transfers";
    }

    @Override
    public String insertHistory() {
        return """
                insert into leasehold_history (name, slot, token, attempt, holder, reason, note, acquired)
                values (:name, :slot, :token, :attempt, :holder, :reason, :note, :acquired)
                on conflict (name, slot) do nothing""";
    }

    @Override
    public boolean historyInRow() {
        return false;
    }

    /** A writer locks the whole file until its transaction ends. */
    @Override
    public String lockingRead() {
        return "";
    }

    /** SQLite runs in this process: only a failing disk leaves the outcome unknown. */
    @Override
    public boolean provesThatNothingHappened(SQLException e) {
        int code = e.getErrorCode() & 0xff;
        return code != 0 && code != IO_ERROR && code != CORRUPT;
    }

    @Override
    public boolean isRetryable(SQLException e) {
        return isBusy(e);
    }

    /** Another client holds the lock, and nothing was done. */
    static boolean isBusy(SQLException e) {
        return (e.getErrorCode() & 0xff) == BUSY;
    }

    @Override
    public List<String> warnings(Connection connection) throws SQLException {
        List<Integer> level = Database.rows(
                connection, new NamedSql("pragma synchronous"), new SqlParameters(), row -> row.getInt(1));
        return level.get(0) >= 2
                ? List.of()
                : List.of("SQLite runs with synchronous below FULL: a power cut can lose grants that were acknowledged,"
                        + " and their tokens would be issued again");
    }
}
