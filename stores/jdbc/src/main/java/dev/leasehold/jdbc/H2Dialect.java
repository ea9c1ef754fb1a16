package dev.leasehold.jdbc;

import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** H2 2.x, for tests and demos only: H2 acknowledges commits before it writes them. */
final class H2Dialect implements Dialect {
    private static final String LINE =
            "token || ' ' || acquired || ' ' || reason || ' ' || attempt || ' ' || length(holder) || ' ' || holder"
                    + " || coalesce(note, '')";

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public String schema() {
        return "h2.sql";
    }

    /**
     * The time at which the statement started, the latest that H2 offers. After a wait for a lock
     * it is early, which extends no lease.
     */
    @Override
    public String clock() {
        return "datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', current_timestamp(6))";
    }

    @Override
    public String take() {
        return """
                select token, reason, acquired from final table (
                    merge into leasehold_lease l
                    using (select cast(:name as varchar) as name, cast(:above as bigint) as above, floor,
                               cast(:attempt as varchar) as attempt, cast(:holder as varchar) as holder,
                               cast(:kind as varchar) as kind, cast(:note as varchar) as note,
                               cast(:ttl as bigint) as ttl, cast(:leaves_free as boolean) as leaves_free,
                               cast(:forced as boolean) as forced, cast(:seen as bigint) as seen, {clock} as clock
                           from {floor}) v
                    on l.name = v.name
                    when matched and l.attempt <> v.attempt
                             and (v.forced or l.deadline <= greatest(l.seen, v.clock))
                             and (v.seen = 0 or l.token = v.seen) then update
                    set token = greatest(l.token, v.above) + 1, attempt = v.attempt, holder = v.holder,
                        reason = coalesce(v.kind, case when l.released then 'released' else 'expired' end),
                        note = v.note, acquired = greatest(l.seen, v.clock),
                        deadline = greatest(l.seen, v.clock) + v.ttl, term = v.ttl, released = v.leaves_free,
                        seen = greatest(l.seen, v.clock), progress_at = null, progress_note = null, checkpoint = null,
                        history = left(%s || char(10) || l.history, 60000)
                    when not matched then
                    insert (name, token, attempt, holder, reason, note, acquired, deadline, term, released, seen, history)
                    values (v.name, greatest(v.above, v.floor) + 1, v.attempt, v.holder, coalesce(v.kind, 'first'), v.note, v.clock,
                        v.clock + v.ttl, v.ttl, v.leaves_free, v.clock, %s))"""
                .formatted(
                        line(
                                "(greatest(l.token, v.above) + 1)",
                                "greatest(l.seen, v.clock)",
                                "coalesce(v.kind, case when l.released then 'released' else 'expired' end)"),
                        line("(greatest(v.above, v.floor) + 1)", "v.clock", "coalesce(v.kind, 'first')"));
    }

    @Override
    public String floor() {
        return "(select token as floor from leasehold_lease where name = '') f";
    }

    /** H2 cannot lock a row that a part of a statement reads. */
    @Override
    public boolean locksFloorFirst() {
        return true;
    }

    private static String line(String token, String acquired, String reason) {
        return LINE.replace("token", token)
                .replace("acquired", acquired)
                .replace("attempt", "v.attempt")
                .replace("holder", "v.holder")
                .replace("note", "v.note")
                .replace("reason", reason);
    }

    @Override
    public String renew() {
        return """
                select name, deadline, seen from final table (
                    merge into leasehold_lease l
                    using (select * from unnest(cast(:names as varchar array), cast(:tokens as bigint array),
                               cast(:attempts as varchar array), cast(:ttls as bigint array))
                               as t (name, token, attempt, ttl)) a
                    on l.name = a.name
                    when matched and l.token = a.token and l.attempt = coalesce(a.attempt, l.attempt)
                             and not l.released and l.deadline > greatest(l.seen, {clock}) then update
                    set term = case when greatest(l.seen, {clock}) + a.ttl > l.deadline then a.ttl else l.term end,
                        deadline = greatest(l.deadline, greatest(l.seen, {clock}) + a.ttl),
                        seen = greatest(l.seen, {clock}))""";
    }

    @Override
    public SqlParameters batch(Connection connection, List<RenewRequest> requests) throws SQLException {
        return BatchParameters.arrays(connection, requests);
    }

    @Override
    public String ownColumns() {
        return ", history";
    }

    @Override
    public String ownValues() {
        return ", :history";
    }

    @Override
    public boolean historyInRow() {
        return true;
    }

    @Override
    public String insertIfAbsent(String table, String columns, String values) {
        return "insert into " + table + " (" + columns + ") select " + values + " where not exists (select * from "
                + table
                + " where " + columns.substring(0, columns.indexOf(',')) + " = "
                + values.substring(0, values.indexOf(',')) + ")";
    }

    /** A lost race for a new row, a concurrent change of the row, or a lock timeout. */
    @Override
    public boolean isRetryable(SQLException e) {
        return SqlFailures.hasState(e, "23505", "40001", "90131", "HYT00");
    }

    @Override
    public List<String> warnings(Connection connection) {
        return List.of(
                "H2 acknowledges commits before it writes them: a crash can lose grants, and their tokens would be"
                        + " issued again. Use it for tests and demos only");
    }
}
