package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** PostgreSQL 12 and later. */
final class PostgresDialect implements Dialect {
    /** As an expression. A database may have several stores, each in its own schema. */
    static final String CHANNEL = "'leasehold_' || 'leasehold_lease'::regclass::oid";

    private static final String TRANSFER = "name, token, attempt, holder, reason, note, acquired";

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public String schema() {
        return "postgresql.sql";
    }

    /**
     * Not now(), which is the start of the transaction and in the past after a wait for a lock. A
     * floating-point number is exact to a quarter of a microsecond here, and much cheaper than a
     * decimal.
     */
    @Override
    public String clock() {
        return "(date_part('epoch', clock_timestamp()) * 1000000)::bigint";
    }

    /**
     * Decided under the row's lock, by the clock at that moment. The same statement inserts the row
     * of history; {@link #trimHistory} removes old rows.
     */
    @Override
    public String take() {
        return withHistory(
                """
                insert into leasehold_lease as l (name, token, attempt, holder, reason, note, acquired, deadline,
                    term, released, seen, waited)
                select :name, greatest(:above, floor) + 1, :attempt, :holder, coalesce(:kind, 'first'), :note, {clock},
                    {clock} + :ttl, :ttl, :leaves_free, {clock}, 0
                from {floor}
                on conflict (name) do update
                set token = greatest(l.token, :above) + 1, attempt = excluded.attempt, holder = excluded.holder,
                    reason = coalesce(:kind, case when l.released then 'released' else 'expired' end),
                    note = excluded.note, acquired = greatest(l.seen, {clock}),
                    deadline = greatest(l.seen, {clock}) + excluded.term, term = excluded.term,
                    released = excluded.released, seen = greatest(l.seen, {clock}), progress_at = null,
                    progress_note = null, checkpoint = null
                where l.attempt <> excluded.attempt and (:forced or l.deadline <= greatest(l.seen, {clock}))
                  and (:seen = 0 or l.token = :seen)""");
    }

    /**
     * A plain update avoids the insert's search for a conflicting row, a fifth of the statement's
     * cost.
     */
    @Override
    public Optional<String> takeExisting() {
        return Optional.of(
                withHistory(
                        """
                update leasehold_lease
                set token = token + 1, attempt = :attempt, holder = :holder,
                    reason = case when released then 'released' else 'expired' end, note = null, acquired = {now},
                    deadline = {now} + :ttl, term = :ttl, released = false, seen = {now}, progress_at = null,
                    progress_note = null, checkpoint = null
                where name = :name and attempt <> :attempt and deadline <= {now}"""));
    }

    private static String withHistory(String step) {
        return withHistory(step, "token, reason, acquired");
    }

    /** @param result the columns of each transfer that the statement returns */
    static String withHistory(String step, String result) {
        return "with " + returning(step) + record(result);
    }

    /** The same as a part of a statement, in which "recorded" has these columns. */
    static String recorded(String step, String result) {
        return returning(step) + ", recorded as (" + record(result) + ")";
    }

    private static String returning(String step) {
        return "step as (" + step + " returning " + TRANSFER + ")";
    }

    private static String record(String result) {
        return " insert into leasehold_history (" + TRANSFER + ") select " + TRANSFER + " from step returning "
                + result;
    }

    @Override
    public String forget() {
        return """
                with gone as (
                    delete from leasehold_lease
                    where name = :name and token = :token and deadline <= {now}
                      and set_config('synchronous_commit', 'off', true) is not null
                    returning name),
                history as (delete from leasehold_history where name in (select name from gone))
                select name from gone""";
    }

    @Override
    public Optional<String> trimHistory() {
        return Optional.of(
                """
                delete from leasehold_history
                where name = :name and token <= (
                    select token from leasehold_history where name = :name order by token desc offset :kept limit 1)""");
    }

    @Override
    public String renew() {
        return """
                update leasehold_lease l
                set term = case when greatest(l.seen, {clock}) + a.ttl > l.deadline then a.ttl else l.term end,
                    deadline = greatest(l.deadline, greatest(l.seen, {clock}) + a.ttl),
                    seen = greatest(l.seen, {clock})
                from unnest(:names::text[], :tokens::bigint[], :attempts::text[], :ttls::bigint[])
                    as a (name, token, attempt, ttl)
                where l.name = a.name and l.token = a.token and l.attempt = coalesce(a.attempt, l.attempt)
                  and not l.released and l.deadline > greatest(l.seen, {clock})
                returning l.name, l.deadline, l.seen""";
    }

    @Override
    public SqlParameters batch(Connection connection, List<RenewRequest> requests) throws SQLException {
        return BatchParameters.arrays(connection, requests);
    }

    /**
     * Notifies only if a client waits for the name: commits that notify wait for each other,
     * server-wide. {@link PostgresWakeups} reads the message. As a condition, it adds no result to the statement.
     */
    @Override
    public String notifyingWaiters(String update, String window) {
        return update + " and (waited <= seen or pg_notify(" + CHANNEL + ", token || ',' || " + window
                + " || ' ' || name)::text is not null)";
    }

    @Override
    public Optional<String> withoutSync(String update) {
        return Optional.of(update + " and (select set_config('synchronous_commit', 'off', true)) is not null");
    }

    /**
     * The message forces a write, because a commit that has written nothing does not wait for the
     * disk.
     */
    @Override
    public Optional<String> confirmReleases() {
        String update = notifyingWaiters(
                "update leasehold_lease l " + LeaseStatements.FREE
                        + """
                 from unnest(:names::text[], :tokens::bigint[], :attempts::text[]) as a (held, tokens, attempts)
                where name = held and token = tokens and attempt = coalesce(attempts, attempt) and not released""",
                "0");
        return Optional.of(
                "with again as (" + update + ") select pg_logical_emit_message(true, 'leasehold', 'released')");
    }

    @Override
    public Optional<PostgresBatches> batches(
            Database database, TableNames names, StoreId store, Function<LeaseName, Long> windows) {
        return Optional.of(new PostgresBatches(database, names, store, windows));
    }

    @Override
    public boolean sharesRaises() {
        return true;
    }

    @Override
    public String ownColumns() {
        return ", waited";
    }

    @Override
    public String ownValues() {
        return ", 0";
    }

    @Override
    public String insertHistory() {
        return """
                insert into leasehold_history (name, token, attempt, holder, reason, note, acquired)
                values (:name, :token, :attempt, :holder, :reason, :note, :acquired)""";
    }

    @Override
    public boolean historyInRow() {
        return false;
    }

    @Override
    public boolean isRetryable(SQLException e) {
        return SqlFailures.hasState(e, "40001", "40P01");
    }

    @Override
    public List<String> warnings(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        NamedSql settings = new NamedSql("select name || '=' || setting from pg_settings where setting = 'off'"
                + " and name in ('fsync', 'synchronous_commit', 'full_page_writes')");
        for (String setting : Database.rows(connection, settings, new SqlParameters(), row -> row.getString(1))) {
            found.add("PostgreSQL runs with " + setting
                    + ": a crash of the server can lose grants that were acknowledged,"
                    + " and their tokens would be issued again");
        }
        return found;
    }

    @Override
    public Optional<Wakeups> wakeups(Database database, RecentNames busy) {
        return PostgresDrivers.notify(database, busy);
    }
}
