package dev.leasehold.jdbc;

import java.util.Optional;
import java.util.function.Function;

/**
 * The statements of the store. No update reads a column after setting it: standard SQL would use
 * the old value, MariaDB and MySQL the new one.
 */
final class LeaseStatements {
    /** The condition for a current grant. Each statement checks the deadline itself. */
    private static final String CURRENT =
            "name = :name and token = :token and attempt = coalesce(:attempt, attempt) and not released";

    /** Frees a name at once. */
    static final String FREE = "set deadline = {now}, term = 0, released = true, seen = {now}";

    private static final String RELEASE =
            "update leasehold_lease " + FREE + " where " + CURRENT + " and deadline > {now}";

    /** If the clock was set back after the grant, the hold counts from now. */
    private static final String RELEASE_LATER =
            """
            update leasehold_lease
            set deadline = case when acquired > {now} then {now} else {greatest}({now} - :min_hold, acquired) end
                    + :min_hold,
                term = :min_hold, released = true, seen = {now}
            where %s and deadline > {now}"""
                    .formatted(CURRENT);

    private static final String ABANDON =
            "update leasehold_lease " + FREE + " where name = :name and attempt = :attempt and not released";

    final NamedSql acquire;
    final NamedSql acquireExisting;
    final NamedSql intervene;
    final Optional<NamedSql> taken;
    final NamedSql renew;
    final Optional<NamedSql> renewed;
    final NamedSql release;
    final Optional<NamedSql> releaseAsync;
    final Optional<NamedSql> confirmReleases;
    final NamedSql releaseLater;
    final NamedSql abandon;
    final NamedSql progress;
    final NamedSql rebase;
    final NamedSql rewrite;
    final NamedSql lock;
    final NamedSql read;
    final NamedSql list;
    final NamedSql history;
    final Optional<NamedSql> trimHistory;

    LeaseStatements(Dialect dialect, TableNames names) {
        Function<String, NamedSql> sql = text -> dialect.sql(names.in(text));
        this.acquire = sql.apply(ordinary(dialect.take()));
        this.acquireExisting = dialect.takeExisting().map(sql).orElse(acquire);
        this.intervene = sql.apply(dialect.take());
        this.taken = dialect.taken().map(sql);
        this.renew = sql.apply(dialect.renew());
        this.renewed = dialect.renewed().map(sql);
        this.release = sql.apply(dialect.notifyingWaiters(RELEASE, ":window"));
        this.releaseAsync = dialect.withoutSync(dialect.notifyingWaiters(RELEASE, ":window"))
                .map(sql);
        this.confirmReleases = dialect.confirmReleases().map(sql);
        this.releaseLater = sql.apply(dialect.notifyingWaiters(RELEASE_LATER, "0"));
        this.abandon = sql.apply(dialect.notifyingWaiters(ABANDON, "0"));
        this.progress = sql.apply(
                """
                update leasehold_lease
                set progress_note = coalesce(:note, progress_note), checkpoint = coalesce(:checkpoint, checkpoint),
                    progress_at = {now}, seen = {now}
                where %s and deadline > {now}"""
                        .formatted(CURRENT));
        // Uses the clock at the moment of the write, so the new deadline covers everything the
        // holder trusts since its latest renewal.
        this.rebase = sql.apply(
                """
                update leasehold_lease set deadline = {clock} + term, seen = {clock}
                where name = :name and token = :token and {clock} < seen and deadline > {clock} + term""");
        this.rewrite = sql.apply(
                """
                update leasehold_lease
                set deadline = :new_deadline, term = :new_term, seen = :new_seen, released = :new_released
                where name = :name and token = :token and deadline = :deadline and term = :term and seen = :seen
                  and released = :released""");
        this.lock = sql.apply("select token from leasehold_lease where name = :name" + dialect.lockingRead());
        this.read = sql.apply("select {row}, {clock} from leasehold_lease where name = :name");
        this.list = sql.apply(
                """
                select {row}, {clock} from leasehold_lease
                where name >= :first and name < :last and name <> :after order by name limit :limit""");
        this.history = sql.apply(history(dialect));
        this.trimHistory = dialect.trimHistory().map(sql);
    }

    private static String history(Dialect dialect) {
        return dialect.historyInRow()
                ? "select history from leasehold_lease where name = :name"
                : """
                  select token, attempt, holder, reason, note, acquired from leasehold_history
                  where name = :name order by token desc limit :limit""";
    }

    /**
     * Inlines the operator's parameters in the ordinary statement, which halves the number of
     * parameters to bind.
     */
    private static String ordinary(String take) {
        return take.replaceAll(":(above|seen)\\b", "0")
                .replaceAll(":(kind|note)\\b", "null")
                .replaceAll(":(leaves_free|forced)\\b", "false");
    }
}
