package dev.leasehold.jdbc;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.Pending;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of many callers in one PostgreSQL statement. A row that another transaction has locked
 * holds the others up for a moment at most ({@link BatchStatement}); then its request is left unanswered, and
 * its caller waits for it alone.
 *
 * <p>Each statement finds its rows one by one through the index, however many names the store has.
 */
final class PostgresBatches {
    /** How many requests one statement takes. */
    static final int MOST = 512;

    /**
     * The server makes the commits of several connections durable together, so up to eight callers go
     * side by side. More callers are served faster by one large statement after the other.
     */
    static final Combiner.Lanes LANES = new Combiner.Lanes(8, 1);

    /** Bad data, a constraint, a user's trigger, a limit, a lock. */
    private static final Set<String> OF_ONE_ROW = Set.of("22", "23", "38", "39", "44", "54", "55", "P0");

    private static final String CLAIMS =
            BatchStatement.asked("names text", "attempts text", "holders text", "ttls bigint");

    private static final String GRANTS = BatchStatement.asked("names text", "tokens bigint", "attempts text");

    private static final String RELEASES =
            BatchStatement.asked("names text", "tokens bigint", "attempts text", "windows bigint");

    private static final String REPORTS =
            BatchStatement.asked("names text", "tokens bigint", "attempts text", "notes text", "checkpoints text");

    private static final String READ =
            "select {row}, {clock} from leasehold_lease where name = any ((select :names::text[])::text[])";

    /** What a statement returns of each transfer. */
    private static final String GRANTED = "name, token, reason, acquired";

    private static final String TAKE =
            """
            update leasehold_lease l
            set token = l.token + 1, attempt = attempts, holder = holders,
                reason = case when released then 'released' else 'expired' end, note = null, acquired = {now},
                deadline = {now} + ttls, term = ttls, released = false, seen = {now}, progress_at = null,
                progress_note = null, checkpoint = null
            from {asked}
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
             from {asked}
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
    private final Step<OwnershipRequest, Optional<Acquisition>> take;
    private final Step<OwnershipRequest, Optional<Acquisition>> create;
    private final Function<LeaseName, Long> windows;
    private final Step<Grant, Boolean> release;
    private final Step<Grant, Boolean> releaseWithWindows;
    private final Step<ProgressStep, Boolean> progress;
    private final Step<LeaseName, LeaseRow> read;

    /** Runs a statement, and tells whether a request without a row in the result changed nothing. */
    @FunctionalInterface
    private interface Sender {
        boolean run(Connection connection, SqlParameters params, Database.RowReader<?> reader) throws SQLException;
    }

    @FunctionalInterface
    private interface Parameters<Q> {
        ArrayParameters<Q> bind(ArrayParameters<Q> requests) throws SQLException;
    }

    @FunctionalInterface
    private interface Answers<Q, A> {
        A read(Q request, ResultSet row) throws SQLException;
    }

    /** @param unchanged the answer to a request that changed nothing */
    private record Step<Q, A>(
            Sender sender,
            Function<Q, LeaseName> nameOf,
            Parameters<Q> parameters,
            Answers<Q, A> answers,
            @Nullable A unchanged) {}

    /** @param windows the microseconds that go with a release, see {@link Wakeups#windowMicros} */
    PostgresBatches(Database database, TableNames names, StoreId store, Function<LeaseName, Long> windows) {
        Dialect dialect = database.dialect();
        Function<String, NamedSql> sql = text -> dialect.sql(names.in(text));
        this.database = database;
        this.windows = windows;
        this.take = claiming(taking(sql)::run, store);
        this.create = claiming(leavingOthers(sql.apply(PostgresDialect.withHistory(CREATE, GRANTED))), store);
        this.release = releasing(changing(sql, GRANTS, freeing(dialect, "0")), grants -> grants);
        this.releaseWithWindows = releasing(
                changing(sql, RELEASES, freeing(dialect, "windows")),
                grants -> grants.numbers("windows", grant -> windows.apply(grant.name())));
        this.progress = new Step<>(
                changing(sql, REPORTS, PROGRESS)::run,
                step -> step.grant().name(),
                steps -> steps.grants(ProgressStep::grant)
                        .texts("notes", ProgressStep::noteText)
                        .texts("checkpoints", ProgressStep::checkpointText),
                (step, row) -> row.getBoolean(2),
                false);
        this.read = new Step<>(
                leavingOthers(sql.apply(READ)),
                Function.identity(),
                all -> all.texts("names", LeaseName::value),
                (name, row) -> LeaseRow.read(row),
                null);
    }

    private static Step<OwnershipRequest, Optional<Acquisition>> claiming(Sender sender, StoreId store) {
        return new Step<>(
                sender,
                OwnershipRequest::name,
                claims -> claims.texts("names", claim -> claim.name().value())
                        .texts("attempts", claim -> claim.attempt().value())
                        .texts("holders", claim -> claim.holder().value())
                        .numbers("ttls", claim -> SqlParameters.micros(claim.ttl())),
                (claim, row) -> claim.granted(row, 2, store),
                Optional.empty());
    }

    private static String freeing(Dialect dialect, String window) {
        return dialect.withoutSync(dialect.notifyingWaiters(RELEASE, window)).orElseThrow();
    }

    private static Step<Grant, Boolean> releasing(BatchStatement statement, Parameters<Grant> more) {
        return new Step<>(
                statement::run,
                Grant::name,
                grants -> more.bind(grants.grants(Function.identity())),
                (grant, row) -> row.getBoolean(2),
                false);
    }

    /** A request without a row in the result needs another statement. */
    private static Sender leavingOthers(NamedSql sql) {
        return (connection, params, reader) -> {
            Database.rows(connection, sql, params, reader);
            return false;
        };
    }

    private static BatchStatement taking(Function<String, NamedSql> sql) {
        return BatchStatement.of(
                sql,
                CLAIMS,
                TAKE,
                update -> PostgresDialect.withHistory(update, GRANTED),
                update -> PostgresDialect.recorded(update, GRANTED)
                        + " select names, 0, null, 0 from unlocked union all select " + GRANTED
                        + " from recorded order by 2");
    }

    /** Returns each name whose row was changed, with true. */
    private static BatchStatement changing(Function<String, NamedSql> sql, String asked, String change) {
        return BatchStatement.of(
                sql,
                asked,
                change,
                update -> update + " returning name, true",
                update -> "step as (" + update + " returning name) select names, false from unlocked"
                        + " union all select name, true from step order by 2");
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
    private void takeEach(
            List<Pending<OwnershipRequest, Optional<Acquisition>>> batch,
            Step<OwnershipRequest, Optional<Acquisition>> step) {
        for (List<Pending<OwnershipRequest, Optional<Acquisition>>> ofOneName : send(batch, step)) {
            if (ofOneName.get(0).answer() != null) {
                ofOneName.subList(1, ofOneName.size()).forEach(each -> each.answer(Optional.empty()));
            }
        }
    }

    /** Releases grants without waiting for the disk. The answers tell whether a grant was current. */
    void release(List<Pending<Grant, Boolean>> batch) {
        boolean usual =
                batch.stream().allMatch(each -> windows.apply(each.request().name()) == 0);
        send(batch, usual ? release : releaseWithWindows);
    }

    /** Records progress. The answers tell whether a grant was current. */
    void progress(List<Pending<ProgressStep, Boolean>> batch) {
        send(batch, progress);
    }

    /** Reads the rows of these names. A name without a row is left unanswered. */
    void read(List<Pending<LeaseName, LeaseRow>> batch) {
        for (List<Pending<LeaseName, LeaseRow>> ofOneName : send(batch, read)) {
            LeaseRow found = ofOneName.get(0).answer();
            if (found != null) {
                ofOneName.forEach(each -> each.answer(found));
            }
        }
    }

    /**
     * Sends the first request for each name. Each row answers the request for the name in its first
     * column, and a later row replaces the answer of an earlier one.
     *
     * @return the requests by name, in their order; nothing if the server undid the statement for a
     *     reason that may concern one row
     */
    private <Q, A> Collection<List<Pending<Q, A>>> send(List<Pending<Q, A>> batch, Step<Q, A> step) {
        // In the order of names, because statements that wait for each other's rows would be a deadlock.
        SortedMap<String, List<Pending<Q, A>>> byName = new TreeMap<>();
        for (Pending<Q, A> each : batch) {
            byName.computeIfAbsent(step.nameOf.apply(each.request()).value(), name -> new ArrayList<>(1))
                    .add(each);
        }
        List<Q> requests = new ArrayList<>(byName.size());
        byName.values().forEach(ofOneName -> requests.add(ofOneName.get(0).request()));
        try {
            boolean allReached = database.run(connection -> {
                SqlParameters params = step.parameters
                        .bind(ArrayParameters.of(connection, requests))
                        .all();
                return step.sender.run(connection, params, row -> isAnswered(byName, row, step));
            });
            A unchanged = step.unchanged;
            if (allReached && unchanged != null) {
                byName.values().forEach(ofOneName -> ofOneName.get(0).answerUnlessAnswered(unchanged));
            }
            return byName.values();
        } catch (StoreUnavailableException e) {
            if (!(e.getCause() instanceof SQLException cause && mayConcernOneRow(cause))) {
                throw e;
            }
            return List.of();
        }
    }

    /** The requests for a damaged row are left unanswered, and their callers find the damage. */
    private static <Q, A> boolean isAnswered(Map<String, List<Pending<Q, A>>> byName, ResultSet row, Step<Q, A> step)
            throws SQLException {
        String name = row.getString(1);
        List<Pending<Q, A>> asked = byName.get(name);
        if (asked == null) {
            return false;
        }
        Pending<Q, A> first = asked.get(0);
        try {
            first.answer(step.answers.read(first.request(), row));
            return true;
        } catch (StoreCorruptException e) {
            byName.remove(name);
            return false;
        }
    }

    /** The server undid the statement, for a reason that need not concern every row. */
    private static boolean mayConcernOneRow(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && OF_ONE_ROW.contains(state.substring(0, 2));
    }
}
