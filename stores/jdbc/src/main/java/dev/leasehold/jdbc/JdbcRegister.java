package dev.leasehold.jdbc;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A register in a table, one statement per operation. Values are bytes, so that no character set
 * can change them. The first version of a key is random and later versions count from there: a key
 * that is removed and created again does not reuse an old version, however coarse the server's
 * clock is and wherever it is set.
 */
final class JdbcRegister implements CasRegister {
    private final Database database;
    private final NamedSql read;
    private final Writes writes;
    private final NamedSql delete;
    private final NamedSql page;
    private final NamedSql readings;

    JdbcRegister(Database database, Ids ids, TableNames names) {
        this.database = database;
        Dialect dialect = database.dialect();
        this.read = dialect.sql(
                names.in(
                        """
                        select {clock}, r.version, r.content from (select 1 as one) o
                        left join leasehold_register r on r.entry = :entry"""));
        this.writes = new Writes(dialect, ids);
        this.delete = dialect.sql("delete from leasehold_register where entry = :entry and version = :expected");
        this.page = page(dialect, names, "entry, version");
        this.readings = page(dialect, names, "{clock}, version, content, entry");
    }

    private static NamedSql page(Dialect dialect, TableNames names, String columns) {
        return dialect.sql(names.in("select " + columns
                + " from leasehold_register where entry >= :first and entry < :last and entry <> :after"
                + " order by entry limit :limit"));
    }

    /** A compare-and-set in one statement, also usable inside a caller's transaction. */
    static final class Writes {
        /**
         * First versions have 18 digits. That leaves room to count, and lies above the timestamps
         * that older releases used.
         */
        private static final long LEAST_FIRST = 100_000_000_000_000_000L;

        private static final long FIRST_VERSIONS = 800_000_000_000_000_000L;

        private final NamedSql insert;
        private final NamedSql update;
        private final Ids ids;

        @FunctionalInterface
        interface Execution<E extends Exception> {
            boolean changes(NamedSql sql, SqlParameters params) throws E;
        }

        Writes(Dialect dialect, Ids ids) {
            this.ids = ids;
            this.insert = dialect.sql(dialect.insertIfAbsent(
                    "leasehold_register", "entry, version, content", ":entry, :version, :content"));
            this.update = dialect.sql(
                    """
                    update leasehold_register set content = :content, version = version + 1
                    where entry = :entry and version = :expected""");
        }

        <E extends Exception> boolean compareAndSet(Execution<E> execution, String key, String expected, String value)
                throws E {
            CasRegister.requireKey(key);
            CasRegister.requireValue(value);
            SqlParameters params =
                    SqlParameters.of("entry", key).and("content", value.getBytes(StandardCharsets.UTF_8));
            if (expected.equals(ABSENT)) {
                return execution.changes(insert, params.and("version", LEAST_FIRST + ids.below(FIRST_VERSIONS)));
            }
            return isVersion(expected) && execution.changes(update, params.and("expected", Long.parseLong(expected)));
        }
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireKey(key);
        return database.rows(read, SqlParameters.of("entry", key), JdbcRegister::reading)
                .get(0);
    }

    /** Reads columns with the clock, the version and the content. */
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
                && database.changes(delete, SqlParameters.of("entry", key).and("expected", Long.parseLong(expected)));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return database.rows(page, SqlParameters.page(prefix, after, limit), row -> row.getString(1));
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> versions = new LinkedHashMap<>();
        database.rows(
                        page,
                        SqlParameters.page(prefix, after, limit),
                        row -> Map.entry(row.getString(1), row.getLong(2)))
                .forEach(entry -> versions.put(entry.getKey(), Long.toString(entry.getValue())));
        return versions;
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        Map<String, Reading> found = new LinkedHashMap<>();
        database.rows(
                        readings,
                        SqlParameters.page(prefix, after, limit),
                        row -> Map.entry(row.getString(4), reading(row)))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }

    /** A text that was never issued as a version cannot be the current one. */
    private static boolean isVersion(String text) {
        return text.matches("[1-9][0-9]{0,17}");
    }
}
