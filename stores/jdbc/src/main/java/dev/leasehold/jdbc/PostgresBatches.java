package dev.leasehold.jdbc;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.Combiner.Pending;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of many callers in one PostgreSQL statement. A statement that changes rows first locks
 * them. It skips rows that other transactions have locked, and leaves their requests unanswered. So it
 * never waits while it has locks: it holds nobody up, and is never part of a deadlock.
 *
 * <p>Each statement finds its rows one by one through the index, however many names the store has. It
 * contains no join of two lists, which the server might compare element by element.
 */
final class PostgresBatches {
    /** How many requests one statement takes. */
    static final int MOST = 512;

    /**
     * The server makes the commits of several connections durable together, so up to eight callers go
     * side by side. More callers are served faster by two large statements.
     */
    static final Combiner.Lanes LANES = new Combiner.Lanes(8, 2);

    /** Bad data, a constraint, a user's trigger, a limit, a lock. */
    private static final Set<String> OF_ONE_ROW = Set.of("22", "23", "38", "39", "44", "54", "55", "P0");

    private static final String CLAIMS = "unnest(:names::text[], :attempts::text[], :holders::text[], :ttls::bigint[])"
            + " as asked (names, attempts, holders, ttls)";

    private static final String GRANTS =
            "unnest(:names::text[], :tokens::bigint[], :attempts::text[]) as asked (names, tokens, attempts)";

    private static final String REPORTS =
            "unnest(:names::text[], :tokens::bigint[], :attempts::text[], :notes::text[], :checkpoints::text[])"
                    + " as asked (names, tokens, attempts, notes, checkpoints)";

    private static final String TAKE =
            """
            update leasehold_lease l
            set token = l.token + 1, attempt = attempts, holder = holders,
                reason = case when released then 'released' else 'expired' end, note = null, acquired = {now},
                deadline = {now} + ttls, term = ttls, released = false, seen = {now}, progress_at = null,
                progress_note = null, checkpoint = null
            from unlocked
            where l.name = names and l.attempt <> attempts and deadline <= {now}""";

    /** Rows that another client inserts at the same moment are waited for, in the order of names. */
    private static final String CREATE =
            """
            insert into leasehold_lease (name, token, attempt, holder, reason, note, acquired, deadline, term, released, seen,
                waited)
            select names, floor + 1, attempts, holders, 'first', null, {clock}, {clock} + ttls, ttls, false, {clock}, 0
            from {floor}, %s order by names on conflict (name) do nothing"""
                    .formatted(CLAIMS);

    private static final String CURRENT =
            """
             from unlocked
            where l.name = names and l.token = tokens and l.attempt = coalesce(attempts, l.attempt)
                and not released and deadline > {now}""";

    private static final String RELEASE = "update leasehold_lease l " + LeaseStatements.FREE + CURRENT;

    private static final String PROGRESS =
            """
            update leasehold_lease l
            set progress_note = coalesce(notes, progress_note), checkpoint = coalesce(checkpoints, checkpoint),
                progress_at = {now}, seen = {now}"""
                    + CURRENT;

    private final Database database;
    private final StoreId store;
    private final NamedSql take;
    private final NamedSql create;
    private final NamedSql release;
    private final NamedSql progress;
    private final NamedSql read;

    PostgresBatches(Database database, TableNames names, StoreId store) {
        Dialect dialect = database.dialect();
        Function<String, NamedSql> sql = text -> dialect.sql(names.in(text));
        this.database = database;
        this.store = store;
        this.take = sql.apply(unlocked(CLAIMS) + ", " + PostgresDialect.recorded(TAKE)
                + " select names, 0, null, 0 from unlocked union all"
                + " select name, token, reason, acquired from recorded order by 2");
        this.create = sql.apply(
                "with " + PostgresDialect.recorded(CREATE) + " select name, token, reason, acquired from recorded");
        this.release = sql.apply(changing(
                GRANTS, dialect.withoutSync(dialect.notifyingWaiters(RELEASE)).orElseThrow()));
        this.progress = sql.apply(changing(REPORTS, PROGRESS));
        this.read = sql.apply("select {row}, {clock} from leasehold_lease where name = any (:names::text[])");
    }

    private static String unlocked(String asked) {
        return "with unlocked as (select asked.* from " + asked
                + " join leasehold_lease on name = names for update of leasehold_lease skip locked)";
    }

    /** Returns each name that was not locked, and then each whose row was changed. */
    private static String changing(String asked, String update) {
        return unlocked(asked) + ", step as (" + update + " returning name)"
                + " select names, false from unlocked union all select name, true from step order by 2";
    }

    /** Makes a step together with those of other callers, where the database can, or else always alone. */
    static <Q, A> Function<Q, A> lane(
            Optional<PostgresBatches> batches,
            Function<Q, @Nullable Object> keys,
            BiConsumer<PostgresBatches, List<Pending<Q, A>>> together,
            Function<Q, A> alone) {
        return batches.<Function<Q, A>>map(all ->
                        new Combiner<Q, A>(MOST, LANES, keys, requests -> together.accept(all, requests), alone)::ask)
                .orElse(alone);
    }

    /** Grants names that have a row. A request is answered with empty if its name is not free. */
    void take(List<Pending<OwnershipRequest, Optional<Acquisition>>> batch) {
        takeEach(batch, take);
    }

    /** Grants names that have no row yet, and leaves the requests for others unanswered. */
    void create(List<Pending<OwnershipRequest, Optional<Acquisition>>> batch) {
        takeEach(batch, create);
    }

    /**
     * The first request for a name decides. The others are answered with empty: if the name is free after
     * all, which their callers find out when they read the row, they try again.
     */
    private void takeEach(List<Pending<OwnershipRequest, Optional<Acquisition>>> batch, NamedSql statement) {
        for (List<Pending<OwnershipRequest, Optional<Acquisition>>> ofOneName :
                send(batch, statement, OwnershipRequest::name, PostgresBatches::claims, this::granted)) {
            if (ofOneName.get(0).answer() != null) {
                ofOneName.subList(1, ofOneName.size()).forEach(each -> each.answer(Optional.empty()));
            }
        }
    }

    private Optional<Acquisition> granted(OwnershipRequest claim, ResultSet row) throws SQLException {
        return claim.granted(row, 2, store);
    }

    private static SqlParameters claims(Connection connection, List<OwnershipRequest> claims) throws SQLException {
        return ArrayParameters.of(connection, claims)
                .texts("names", claim -> claim.name().value())
                .texts("attempts", claim -> claim.attempt().value())
                .texts("holders", claim -> claim.holder().value())
                .numbers("ttls", claim -> SqlParameters.micros(claim.ttl()))
                .all();
    }

    /** Releases grants without waiting for the disk. The answers tell whether a grant was current. */
    void release(List<Pending<Grant, Boolean>> batch) {
        send(
                batch,
                release,
                Grant::name,
                (connection, grants) -> ArrayParameters.of(connection, grants)
                        .grants(Function.identity())
                        .all(),
                (grant, row) -> row.getBoolean(2));
    }

    /** Records progress. The answers tell whether a grant was current. */
    void progress(List<Pending<ProgressStep, Boolean>> batch) {
        send(
                batch,
                progress,
                step -> step.grant().name(),
                (connection, steps) -> ArrayParameters.of(connection, steps)
                        .grants(ProgressStep::grant)
                        .texts("notes", ProgressStep::noteText)
                        .texts("checkpoints", ProgressStep::checkpointText)
                        .all(),
                (step, row) -> row.getBoolean(2));
    }

    /** Reads the rows of these names. A name without a row is left unanswered. */
    void read(List<Pending<LeaseName, LeaseRow>> batch) {
        for (List<Pending<LeaseName, LeaseRow>> ofOneName : send(
                batch,
                read,
                Function.identity(),
                (connection, names) -> ArrayParameters.of(connection, names)
                        .texts("names", LeaseName::value)
                        .all(),
                (name, row) -> LeaseRow.read(row))) {
            LeaseRow found = ofOneName.get(0).answer();
            if (found != null) {
                ofOneName.forEach(each -> each.answer(found));
            }
        }
    }

    @FunctionalInterface
    private interface Parameters<Q> {
        SqlParameters of(Connection connection, List<Q> requests) throws SQLException;
    }

    @FunctionalInterface
    private interface Answers<Q, A> {
        A read(Q request, ResultSet row) throws SQLException;
    }

    /**
     * Sends the first request for each name. Each row answers the request for the name in its first
     * column, and a later row replaces the answer of an earlier one.
     *
     * @return the requests by name, in their order; nothing if the server undid the statement for a
     *     reason that may concern one row
     */
    private <Q, A> Collection<List<Pending<Q, A>>> send(
            List<Pending<Q, A>> batch,
            NamedSql statement,
            Function<Q, LeaseName> nameOf,
            Parameters<Q> parameters,
            Answers<Q, A> answers) {
        Map<String, List<Pending<Q, A>>> byName = new HashMap<>(2 * batch.size());
        List<Q> requests = new ArrayList<>(batch.size());
        for (Pending<Q, A> each : batch) {
            List<Pending<Q, A>> ofOneName =
                    byName.computeIfAbsent(nameOf.apply(each.request()).value(), name -> new ArrayList<>(1));
            if (ofOneName.isEmpty()) {
                requests.add(each.request());
            }
            ofOneName.add(each);
        }
        try {
            database.run(
                    connection -> Database.rows(connection, statement, parameters.of(connection, requests), row -> {
                        List<Pending<Q, A>> asked = byName.get(row.getString(1));
                        if (asked != null) {
                            answer(asked.get(0), row, answers);
                        }
                        return row;
                    }));
            return byName.values();
        } catch (StoreUnavailableException e) {
            if (!(e.getCause() instanceof SQLException cause && mayConcernOneRow(cause))) {
                throw e;
            }
            return List.of();
        }
    }

    /** A damaged row leaves its request unanswered, and its caller finds the damage. */
    private static <Q, A> void answer(Pending<Q, A> request, ResultSet row, Answers<Q, A> answers) throws SQLException {
        try {
            request.answer(answers.read(request.request(), row));
        } catch (StoreCorruptException e) {
            // Found again by the caller.
        }
    }

    /** The server undid the statement, for a reason that need not concern every row. */
    private static boolean mayConcernOneRow(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && OF_ONE_ROW.contains(state.substring(0, 2));
    }
}
