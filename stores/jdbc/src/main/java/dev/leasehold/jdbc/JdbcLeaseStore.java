package dev.leasehold.jdbc;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
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
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Leases in PostgreSQL, MariaDB, MySQL, SQLite or H2. A step is one statement and one round trip, judged
 * by the server's clock inside the statement; only a step that changes nothing may need a second
 * statement to find out why, and MySQL needs one to tell what an acquire or a renewal did. The tables are created on first use.
 *
 * <p>Every statement is its own transaction on its own connection: if a caller's transaction
 * contained a grant and rolled back, the token would be issued twice. So pass the pool itself, not
 * a proxy that joins a running transaction. Behind a pooler that gives each transaction another
 * server session, your own pool needs {@code prepareThreshold=0}; a store that is opened by URL
 * sets this itself.
 *
 * <p>Safe for use by many threads. A {@link StoreUnavailableException} says whether the outcome is
 * unknown. The store does not survive a server that loses acknowledged transactions (see {@link
 * #warnings()}); fences detect that.
 */
public final class JdbcLeaseStore implements LeaseStore {
    /**
     * How long a server may take to answer before the connection is closed. A driver may have a
     * shorter timeout.
     */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    private final Database database;
    private final LeaseRules rules;
    private final Contention contention = Contention.system();
    private final LeaseStatements statements;
    private final StoreId id;
    private final Renewals renewals;
    private final FloorRow floor;
    private final Forgets forgets;
    private final Takes takes;
    private final Releases releases;
    private final Function<ProgressStep, Boolean> progress;
    private final Function<LeaseName, LeaseRow> rows;
    private final CasRegister register;

    /**
     * Names that were busy. A client that asks again is most likely polling: a plain read answers
     * it without locking or writing.
     */
    private final RecentNames busy = new RecentNames();

    private final Optional<Wakeups> wakeups;
    private @Nullable List<String> warnings;

    /**
     * The result of a statement: an answer, or the row that prevented the change if the statement
     * returned it.
     */
    private record StatementResult<T>(@Nullable T answer, @Nullable LeaseRow row) {}

    private static <T> StatementResult<T> result(Optional<T> answer) {
        return new StatementResult<>(answer.orElse(null), null);
    }

    private JdbcLeaseStore(Database database, StoreId id, TableNames names) {
        this.database = database;
        this.id = id;
        this.rules = new LeaseRules(id);
        this.statements = new LeaseStatements(database.dialect(), names);
        this.renewals = new Renewals(database, statements, this::renewByRules);
        this.wakeups = names == TableNames.LIVE ? database.dialect().wakeups(database, busy) : Optional.empty();
        Function<LeaseName, Long> windows =
                name -> wakeups.map(w -> w.windowMicros(name)).orElse(0L);
        Optional<PostgresBatches> batches = database.dialect().batches(database, names, id, windows);
        this.floor = new FloorRow(database, names);
        this.forgets = new Forgets(database, names, floor, this::read);
        this.takes = new Takes(database, statements, batches, id, floor);
        this.releases = new Releases(database, statements, batches, windows);
        this.progress =
                PostgresBatches.lane(batches, step -> step.grant().name(), PostgresBatches::progress, this::isNoted);
        // Reads need not keep their order.
        this.rows = PostgresBatches.lane(batches, name -> null, PostgresBatches::read, this::readOne);
        this.register = new JdbcRegister(database, new SystemIds(), names);
    }

    /**
     * Opens the store in the pool's database.
     *
     * @param pool used, but not closed
     * @throws dev.leasehold.model.StoreMissingException if the database contains no store
     */
    public static JdbcLeaseStore open(DataSource pool) {
        return open(pool, false);
    }

    /**
     * Opens the store in the pool's database, and creates its tables if they are missing.
     *
     * @param pool used, but not closed
     */
    public static JdbcLeaseStore create(DataSource pool) {
        return open(pool, true);
    }

    private static JdbcLeaseStore open(DataSource pool, boolean create) {
        Connections connections = new DataSourceConnections(pool, ANSWER_WITHIN);
        try {
            return open(connections, create);
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    static JdbcLeaseStore open(Connections connections, boolean create) {
        Database database = database(connections);
        return new JdbcLeaseStore(database, Schema.open(database, new SystemIds(), create), TableNames.LIVE);
    }

    private static Database database(Connections connections) {
        return new Database(connections, Dialects.detect(connections));
    }

    /** The content of a store that moved away, for reading. */
    static JdbcLeaseStore moved(Database database, StoreId id) {
        return new JdbcLeaseStore(database, id, TableNames.MOVED);
    }

    static OutgoingStore moveAway(Connections connections, String to) {
        return OutgoingJdbcStore.start(database(connections), to);
    }

    static IncomingStore receive(Connections connections, StoreId id) {
        return IncomingJdbcStore.start(database(connections), id);
    }

    @Override
    public StoreId id() {
        return id;
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        OwnershipRequest claim = OwnershipRequest.ordinary(name, attempt, holder, ttl);
        // Read first, because another thread may confirm the release meanwhile.
        FencingToken unconfirmed = releases.unconfirmed(name);
        Acquisition answer = acquire(claim);
        if (answer instanceof Acquisition.Busy owned && owned.token().equals(unconfirmed)) {
            // A crash of the server has undone the release.
            releases.confirm(name);
            answer = acquire(claim);
        }
        if (answer instanceof Acquisition.Busy) {
            busy.add(name.value());
        }
        if (wakeups.isPresent()) {
            wakeups.get().answered(name, answer, ttl);
        }
        return answer;
    }

    private Acquisition acquire(OwnershipRequest claim) {
        LeaseName name = claim.name();
        return step(
                name,
                () -> busy.remove(name.value())
                        ? new StatementResult<>(null, read(name))
                        : result(takes.acquire(claim)),
                rules.acquire(name, claim.attempt(), claim.holder(), claim.ttl()));
    }

    @Override
    public Acquisition intervene(Intervention move) {
        OwnershipRequest claim = OwnershipRequest.of(move);
        return step(move.name(), () -> result(takes.intervene(claim)), rules.intervene(move));
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        return renewals.renew(requests);
    }

    /** Decides about a grant that the renewal statement left unchanged. */
    private Renewal renewByRules(RenewRequest request, LeaseRow row) {
        LeaseName name = request.grant().name();
        LeaseRow[] next = {row};
        return step(
                name, () -> new StatementResult<>(null, takeFirst(next)), rules.renew(request.grant(), request.ttl()));
    }

    private static @Nullable LeaseRow takeFirst(@Nullable LeaseRow[] next) {
        LeaseRow row = next[0];
        next[0] = null;
        return row;
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        return step(
                grant.name(),
                () -> new StatementResult<>(isReleased(grant, minHold) ? new Release.Released() : null, null),
                rules.release(grant, minHold));
    }

    /**
     * A name with a minimum hold is released durably: if a crash undid the release, the name could
     * become free too early.
     */
    private boolean isReleased(Grant grant, Duration minHold) {
        return minHold.isZero()
                ? releases.release(grant)
                : database.changes(statements.releaseLater, grant(grant).andMicros("min_hold", minHold));
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        database.changes(
                statements.abandon, SqlParameters.of("name", name.value()).and("attempt", attempt.value()));
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        ProgressStep report = new ProgressStep(grant, note, checkpoint);
        return step(
                grant.name(),
                () -> new StatementResult<>(progress.apply(report) ? new ProgressReport.Noted() : null, null),
                rules.progress(grant, note, checkpoint));
    }

    private boolean isNoted(ProgressStep report) {
        return database.changes(
                statements.progress,
                grant(report.grant()).and("note", report.noteText()).and("checkpoint", report.checkpointText()));
    }

    static SqlParameters grant(Grant grant) {
        AttemptId attempt = grant.attempt();
        return SqlParameters.of("name", grant.name().value())
                .and("token", grant.token().value())
                .and("attempt", attempt == null ? null : attempt.value());
    }

    /** Lets the statement decide, and applies the rules if it changed nothing. Repeats if another client was faster. */
    private <T> T step(LeaseName name, Supplier<StatementResult<T>> statement, Transition<T> transition) {
        return contention.resolve("lease " + name, () -> {
            StatementResult<T> tried = statement.get();
            if (tried.answer() != null) {
                return Optional.of(tried.answer());
            }
            LeaseRow row = tried.row() == null ? read(name) : tried.row();
            // A new name needs the row of the floor, which an older store may not have yet.
            Step<T> step = transition.decide(row.record(), row.record() == null ? floor.require() : 0, row.clock());
            return isSettled(row.record(), step) ? Optional.of(step.answer()) : Optional.empty();
        });
    }

    /**
     * Writes what the rules require (extend the client's own grant after a lost reply, adapt to a
     * clock that was set back) if the row is unchanged. A transfer is left to the statement, which
     * came too early or too late and must run again.
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

    /**
     * Always returns false: how long the name stays busy depends on the moment the statement runs.
     */
    private boolean rebase(LeaseRecord record) {
        database.changes(
                statements.rebase,
                SqlParameters.of("name", record.name().value())
                        .and("token", record.token().value()));
        busy.add(record.name().value());
        return false;
    }

    private boolean rewrite(LeaseRecord before, LeaseRecord after) {
        if (!Objects.equals(after.progress(), before.progress())) {
            // The progress statement writes this itself.
            return false;
        }
        return database.changes(
                statements.rewrite,
                SqlParameters.of("name", before.name().value())
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
        LeaseRow row = rows.apply(name);
        takes.learn(name, row.record() != null);
        return row;
    }

    private LeaseRow readOne(LeaseName name) {
        List<LeaseRow> found = database.rows(statements.read, SqlParameters.of("name", name.value()), LeaseRow::read);
        return found.isEmpty() ? LeaseRow.UNKNOWN : found.get(0);
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        LeaseRow row = read(name);
        return Optional.ofNullable(row.record()).map(row::snapshot);
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return database.rows(statements.list, SqlParameters.page(prefix, after, limit), row -> {
            LeaseRow read = LeaseRow.read(row);
            return Optional.ofNullable(read.record()).map(read::snapshot).orElseThrow();
        });
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return database.rows(
                statements.list,
                SqlParameters.page(prefix, after, limit),
                row -> LeaseRow.parsed("leasehold_lease", () -> LeaseName.of(row.getString(1))));
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        SqlParameters params = SqlParameters.of("name", name.value()).and("limit", (long) limit);
        if (!database.dialect().historyInRow()) {
            return database.rows(
                    statements.history,
                    params,
                    row -> LeaseRow.parsed("leasehold_history", () -> LeaseRow.transfer(row, 1)));
        }
        List<List<Transfer>> found = database.rows(
                statements.history,
                params,
                row -> LeaseRow.parsed("leasehold_lease", () -> HistoryText.parse(row.getString(1), limit)));
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
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return forgets.forget(requests);
    }

    @Override
    public long floor() {
        return floor.read();
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        LeaseStore.requireScratch(name);
        SqlParameters params = SqlParameters.of("name", name.value());
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
