package dev.leasehold.jdbc;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Leases in PostgreSQL, MariaDB, SQLite or H2. A step is one statement and one round trip, judged by the server's clock
 * inside it; only a step that changes nothing may need a second one to tell why. The tables are made on first use.
 *
 * <p>Every statement is a transaction of its own on a connection of its own: a grant inside a caller's transaction that is
 * rolled back would be issued twice. So hand in the pool itself, not a proxy that joins a running transaction. Behind a pooler
 * that gives each transaction another session of the server, a pool of your own needs {@code prepareThreshold=0}; a store that
 * is opened by URL sees to that itself.
 *
 * <p>Safe for use by many threads. A {@link StoreUnavailableException} says whether the outcome is unknown. What it does not
 * do: survive a server that loses acknowledged transactions (see {@link #warnings()}); fences notice that.
 */
public final class JdbcLeaseStore implements LeaseStore {
    /** How long a server may take for an answer before the connection is cut. A driver's own bound may be shorter. */
    public static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    /** A trim is a commit of its own, so it removes a good number at once. */
    private static final int TRIM_EVERY = 4 * HISTORY_KEPT;

    private final Database database;
    private final LeaseRules rules;
    private final Contention contention = Contention.system();
    private final LeaseStatements statements;
    private final StoreId id;
    private final Renewals renewals;
    private final Releases releases;
    private final CasRegister register;

    /** Whoever asks again for what was busy most likely polls: a plain read answers that without locking or writing. */
    private final NameHints busy = new NameHints();

    /** Names that have a row. */
    private final NameHints known = new NameHints();

    private final Optional<Wakeups> wakeups;
    private @Nullable List<String> warnings;

    /** What a statement achieved: an answer, or the row that stood in its way where it told that. */
    private record Tried<T>(@Nullable T answer, @Nullable LeaseRow row) {}

    private JdbcLeaseStore(Database database) {
        this.database = database;
        Ids ids = new SystemIds();
        this.id = Schema.open(database, ids);
        this.rules = new LeaseRules(id);
        this.statements = new LeaseStatements(database.dialect());
        this.renewals = new Renewals(database, statements, this::renewByRules);
        this.releases = new Releases(database, statements);
        this.register = new JdbcRegister(database, ids);
        this.wakeups = database.dialect().wakeups(database, busy::remove);
    }

    /**
     * Opens the store in the database that the pool leads to, and makes its tables if they are not there.
     *
     * @param pool is used, not closed
     */
    public static JdbcLeaseStore open(DataSource pool) {
        Connections connections = new DataSourceConnections(pool, ANSWER_WITHIN);
        try {
            return open(connections);
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    static JdbcLeaseStore open(Connections connections) {
        return new JdbcLeaseStore(new Database(connections, Dialects.detect(connections)));
    }

    @Override
    public StoreId id() {
        return id;
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        OwnershipRequest claim = OwnershipRequest.ordinary(name, attempt, holder, ttl);
        // Asked first, since another thread may confirm it meanwhile.
        boolean mayHaveBeenUndone = releases.isUnconfirmed(name);
        Acquisition answer = acquire(claim);
        if (answer instanceof Acquisition.Busy && mayHaveBeenUndone) {
            releases.confirm();
            answer = acquire(claim);
        }
        if (answer instanceof Acquisition.Busy) {
            busy.add(name.value());
        }
        return answer;
    }

    private Acquisition acquire(OwnershipRequest claim) {
        LeaseName name = claim.name();
        return step(
                name,
                () -> busy.remove(name.value()) ? new Tried<>(null, read(name)) : take(ordinaryTake(name), claim),
                rules.acquire(name, claim.attempt(), claim.holder(), claim.ttl()));
    }

    @Override
    public Acquisition intervene(Intervention move) {
        // The statement would make a name that is not there. One that is there stays: rows are never deleted.
        if (move.seen() != null && read(move.name()).record() == null) {
            return new Acquisition.Moved(null);
        }
        OwnershipRequest claim = OwnershipRequest.of(move);
        return step(move.name(), () -> take(statements.intervene, claim), rules.intervene(move));
    }

    private Tried<Acquisition> take(NamedSql statement, OwnershipRequest claim) {
        List<Optional<Acquisition>> rows = database.rows(statement, claim.params(), row -> claim.granted(row, id));
        Acquisition answer = rows.isEmpty() ? null : rows.get(0).orElse(null);
        if (answer instanceof Acquisition.Granted granted) {
            known.add(claim.name().value());
            trimHistory(granted.grant());
        }
        return new Tried<>(answer, null);
    }

    private NamedSql ordinaryTake(LeaseName name) {
        return known.contains(name.value()) ? statements.acquireAgain : statements.acquire;
    }

    /** Every so often, so that it costs the others nothing. If it fails, a later one does it. */
    private void trimHistory(Grant grant) {
        if (statements.trimHistory.isEmpty() || grant.token().value() % TRIM_EVERY != 0) {
            return;
        }
        try {
            database.changes(
                    statements.trimHistory.get(),
                    Params.of("name", grant.name().value()).and("kept", (long) HISTORY_KEPT));
        } catch (StoreUnavailableException e) {
            // The lease is granted all the same.
        }
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        return renewals.renew(requests);
    }

    /** For a grant that the statement left alone. */
    private Renewal renewByRules(RenewRequest request, LeaseRow row) {
        LeaseName name = request.grant().name();
        LeaseRow[] next = {row};
        return step(name, () -> new Tried<>(null, takeFirst(next)), rules.renew(request.grant(), request.ttl()));
    }

    private static @Nullable LeaseRow takeFirst(@Nullable LeaseRow[] next) {
        LeaseRow row = next[0];
        next[0] = null;
        return row;
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        Params params = grant(grant).andMicros("min_hold", minHold);
        return step(
                grant.name(),
                () -> new Tried<>(isReleased(grant, minHold, params) ? new Release.Released() : null, null),
                rules.release(grant, minHold));
    }

    /** A name that stays taken for a while must not become free before that because a crash undid the release. */
    private boolean isReleased(Grant grant, Duration minHold, Params params) {
        return minHold.isZero() ? releases.release(grant, params) : database.changes(statements.releaseLater, params);
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        database.changes(statements.abandon, Params.of("name", name.value()).and("attempt", attempt.value()));
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        Params params = grant(grant)
                .and("note", note == null ? null : note.value())
                .and("checkpoint", checkpoint == null ? null : checkpoint.value());
        return step(
                grant.name(),
                () -> new Tried<>(
                        database.changes(statements.progress, params) ? new ProgressReport.Noted() : null, null),
                rules.progress(grant, note, checkpoint));
    }

    private static Params grant(Grant grant) {
        AttemptId attempt = grant.attempt();
        return Params.of("name", grant.name().value())
                .and("token", grant.token().value())
                .and("attempt", attempt == null ? null : attempt.value());
    }

    /** Lets the statement decide, and the rules where it changed nothing; once more if somebody was faster. */
    private <T> T step(LeaseName name, Supplier<Tried<T>> statement, Transition<T> transition) {
        return contention.resolve("lease " + name, () -> {
            Tried<T> tried = statement.get();
            if (tried.answer() != null) {
                return Optional.of(tried.answer());
            }
            LeaseRow row = tried.row() == null ? read(name) : tried.row();
            Step<T> step = transition.decide(row.record(), row.clock());
            return isSettled(row.record(), step) ? Optional.of(step.answer()) : Optional.empty();
        });
    }

    /**
     * Writes what the rules want (a lost reply's own grant prolonged, a clock that was set back) if the row is still what it
     * was. A transfer is the statement's own business: it came too early or too late and has to be tried again.
     */
    private boolean isSettled(@Nullable LeaseRecord before, Step<?> step) {
        LeaseRecord after = step.write();
        if (after == null) {
            return true;
        }
        if (before == null || step.transfers()) {
            return false;
        }
        return after.seen().isBefore(before.seen()) ? rebase(before) : rewrite(before, after);
    }

    /** Never settled: how long the name is busy depends on the moment at which the statement comes through. */
    private boolean rebase(LeaseRecord record) {
        database.changes(
                statements.rebase,
                Params.of("name", record.name().value())
                        .and("token", record.token().value()));
        busy.add(record.name().value());
        return false;
    }

    private boolean rewrite(LeaseRecord before, LeaseRecord after) {
        if (!Objects.equals(after.progress(), before.progress())) {
            // Left to the statement, which knows how.
            return false;
        }
        return database.changes(
                statements.rewrite,
                Params.of("name", before.name().value())
                        .and("token", before.token().value())
                        .and("deadline", LeaseRow.micros(before.deadline()))
                        .andMicros("term", before.term())
                        .and("seen", LeaseRow.micros(before.seen()))
                        .and("released", before.released())
                        .and("new_deadline", LeaseRow.micros(after.deadline()))
                        .andMicros("new_term", after.term())
                        .and("new_seen", LeaseRow.micros(after.seen()))
                        .and("new_released", after.released()));
    }

    private LeaseRow read(LeaseName name) {
        List<LeaseRow> rows = database.rows(statements.read, Params.of("name", name.value()), LeaseRow::read);
        if (rows.isEmpty()) {
            known.remove(name.value());
            return LeaseRow.UNKNOWN;
        }
        return rows.get(0);
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        LeaseRow row = read(name);
        return Optional.ofNullable(row.record()).map(row::snapshot);
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return database.rows(statements.list, Ranges.page(prefix, after, limit), row -> {
            LeaseRow read = LeaseRow.read(row);
            return Optional.ofNullable(read.record()).map(read::snapshot).orElseThrow();
        });
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        Params params = Params.of("name", name.value()).and("limit", (long) limit);
        if (!database.dialect().historyInRow()) {
            return database.rows(
                    statements.history,
                    params,
                    row -> LeaseRow.understood("leasehold_history", () -> LeaseRow.transfer(row, 1)));
        }
        List<List<Transfer>> found = database.rows(
                statements.history,
                params,
                row -> LeaseRow.understood("leasehold_lease", () -> HistoryText.parse(row.getString(1), limit)));
        return found.isEmpty() ? List.of() : found.get(0);
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        return wakeups.flatMap(w -> w.watch(name));
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        if (!name.value().startsWith(SCRATCH_PREFIX)) {
            throw new IllegalArgumentException("only names that start with " + SCRATCH_PREFIX
                    + " may be erased: the counter of " + name + " must outlive its holders");
        }
        Params params = Params.of("name", name.value());
        if (!database.dialect().historyInRow()) {
            database.changes(new NamedSql("delete from leasehold_history where name = :name"), params);
        }
        return database.changes(new NamedSql("delete from leasehold_lease where name = :name"), params);
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("each step is one statement, and the database locks the row it changes");
    }

    @Override
    public synchronized List<String> warnings() {
        if (warnings == null) {
            warnings = database.run(database.dialect()::warnings);
        }
        return warnings;
    }

    @Override
    public void close() {
        try {
            wakeups.ifPresent(Wakeups::close);
            releases.close();
        } finally {
            database.close();
        }
    }
}
