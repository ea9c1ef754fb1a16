package dev.leasehold.jdbc;

import java.util.Optional;

/**
 * The statements of the store. In an update no column is used after it was set: standard SQL would give its old value,
 * MariaDB the new one.
 */
final class LeaseStatements {
    /** What makes a grant current; unexpired is left to the statement. */
    private static final String CURRENT =
            "name = :name and token = :token and attempt = coalesce(:attempt, attempt) and not released";

    /** What frees a name at once. */
    static final String FREE = "set deadline = {now}, term = 0, released = true, seen = {now}";

    private static final String RELEASE =
            "update leasehold_lease " + FREE + " where " + CURRENT + " and deadline > {now}";

    /** Where the clock was set back after the grant, the hold counts from now. */
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
    final NamedSql renew;
    final NamedSql release;
    final Optional<NamedSql> releaseAsync;
    final Optional<NamedSql> confirmReleases;
    final NamedSql releaseLater;
    final NamedSql abandon;
    final NamedSql progress;
    final NamedSql rebase;
    final NamedSql rewrite;
    final NamedSql read;
    final NamedSql list;
    final NamedSql history;
    final Optional<NamedSql> trimHistory;

    LeaseStatements(Dialect dialect) {
        this.acquire = dialect.sql(ordinary(dialect.take()));
        this.acquireExisting = dialect.takeExisting().map(dialect::sql).orElse(acquire);
        this.intervene = dialect.sql(dialect.take());
        this.renew = dialect.sql(dialect.renew());
        this.release = dialect.sql(dialect.notifyingWaiters(RELEASE));
        this.releaseAsync =
                dialect.withoutSync(dialect.notifyingWaiters(RELEASE)).map(dialect::sql);
        this.confirmReleases = dialect.confirmReleases().map(dialect::sql);
        this.releaseLater = dialect.sql(dialect.notifyingWaiters(RELEASE_LATER));
        this.abandon = dialect.sql(dialect.notifyingWaiters(ABANDON));
        this.progress = dialect.sql(
                """
                update leasehold_lease
                set progress_note = coalesce(:note, progress_note), checkpoint = coalesce(:checkpoint, checkpoint),
                    progress_at = {now}, seen = {now}
                where %s and deadline > {now}"""
                        .formatted(CURRENT));
        // By the clock as it is when it is written: whatever the holder trusts since its latest renewal is covered.
        this.rebase = dialect.sql(
                """
                update leasehold_lease set deadline = {clock} + term, seen = {clock}
                where name = :name and token = :token and {clock} < seen and deadline > {clock} + term""");
        this.rewrite = dialect.sql(
                """
                update leasehold_lease
                set deadline = :new_deadline, term = :new_term, seen = :new_seen, released = :new_released
                where name = :name and token = :token and deadline = :deadline and term = :term and seen = :seen
                  and released = :released""");
        this.read = dialect.sql("select {row}, {clock} from leasehold_lease where name = :name");
        this.list = dialect.sql(
                """
                select {row}, {clock} from leasehold_lease
                where name >= :first and name < :last and name > :after order by name limit :limit""");
        this.history = dialect.sql(history(dialect));
        this.trimHistory = dialect.trimHistory().map(dialect::sql);
    }

    private static String history(Dialect dialect) {
        return dialect.historyInRow()
                ? "select history from leasehold_lease where name = :name"
                : """
                  select token, attempt, holder, reason, note, acquired from leasehold_history
                  where name = :name order by token desc limit :limit""";
    }

    /** What only operators may say is fixed in the text of an ordinary call, which spares it half of its parameters. */
    private static String ordinary(String take) {
        return take.replaceAll(":(above|seen)\\b", "0")
                .replaceAll(":(kind|note)\\b", "null")
                .replaceAll(":(leaves_free|forced)\\b", "false");
    }
}
