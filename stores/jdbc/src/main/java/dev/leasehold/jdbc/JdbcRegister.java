package dev.leasehold.jdbc;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.RegisterRules;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A register in a table, one statement an operation. Values are bytes, so that no character set can change them. Versions
 * start at the server's time: a key that is removed and made again does not get an old version back.
 */
final class JdbcRegister implements CasRegister {
    private final Database database;
    private final NamedSql read;
    private final Writes writes;
    private final NamedSql delete;
    private final NamedSql keys;

    JdbcRegister(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        this.read = dialect.sql(
                """
                select {clock}, r.version, r.content from (select 1 as one) o
                left join leasehold_register r on r.entry = :entry""");
        this.writes = new Writes(dialect);
        this.delete = dialect.sql("delete from leasehold_register where entry = :entry and version = :expected");
        this.keys = dialect.sql(
                """
                select entry from leasehold_register
                where entry >= :first and entry < :last and entry > :after order by entry limit :limit""");
    }

    /** A compare-and-set as one statement: also for a transaction of the caller's. */
    static final class Writes {
        private final NamedSql insert;
        private final NamedSql update;

        @FunctionalInterface
        interface Execution<E extends Exception> {
            boolean changes(NamedSql sql, Params params) throws E;
        }

        Writes(Dialect dialect) {
            this.insert = dialect.sql(dialect.insertIfAbsent(
                    "leasehold_register", "entry, version, content", ":entry, {clock}, :content"));
            this.update = dialect.sql(
                    """
                    update leasehold_register set content = :content, version = {greatest}(version + 1, {clock})
                    where entry = :entry and version = :expected""");
        }

        <E extends Exception> boolean compareAndSet(Execution<E> execution, String key, String expected, String value)
                throws E {
            RegisterRules.requireKey(key);
            RegisterRules.requireValue(value);
            Params params = Params.of("entry", key).and("content", value.getBytes(StandardCharsets.UTF_8));
            if (expected.equals(ABSENT)) {
                return execution.changes(insert, params);
            }
            return isVersion(expected) && execution.changes(update, params.and("expected", Long.parseLong(expected)));
        }
    }

    @Override
    public Reading read(String key) {
        RegisterRules.requireKey(key);
        return database.rows(read, Params.of("entry", key), JdbcRegister::reading)
                .get(0);
    }

    /** From columns with the clock, the version and the content. */
    static Reading reading(ResultSet row) throws SQLException {
        byte[] content = row.getBytes(3);
        return content == null
                ? Reading.absent(LeaseRow.instant(row.getLong(1)))
                : new Reading(
                        Optional.of(new String(content, StandardCharsets.UTF_8)),
                        Long.toString(row.getLong(2)),
                        LeaseRow.instant(row.getLong(1)));
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return writes.compareAndSet(database::changes, key, expected, value);
    }

    @Override
    public boolean remove(String key, String expected) {
        return isVersion(expected)
                && database.changes(delete, Params.of("entry", key).and("expected", Long.parseLong(expected)));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return database.rows(keys, Ranges.page(prefix, after, limit), row -> row.getString(1));
    }

    /** What was never a version of ours cannot be the current one. */
    private static boolean isVersion(String text) {
        return text.matches("[1-9][0-9]{0,17}");
    }
}
