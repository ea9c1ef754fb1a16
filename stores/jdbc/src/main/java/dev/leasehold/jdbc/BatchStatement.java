package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * A PostgreSQL statement that changes the rows of many requests, in two forms. The quick one waits a
 * moment for a row that another transaction has locked, and then gives up all rows. The careful one
 * locks its rows first and skips those that are locked; that costs a second search and a second write
 * of each row, so it is sent only after the quick one gave up.
 */
final class BatchStatement {
    /**
     * Longer than a commit usually takes, which is how long another client of the store has a row
     * locked. Shorter than the time after which the database looks for a deadlock.
     */
    private static final String WAIT = "10ms";

    /** The condition is evaluated once, before the first row. */
    private static final String WAITING_BRIEFLY =
            " and (select set_config('lock_timeout', '" + WAIT + "', true)) is not null";

    private static final String LOCKED = "55P03";

    /**
     * No limit, which the server does not know while it plans. So it expects a tenth of the rows, that is, one, and searches the
     * index for each name. For ten rows it reads the whole of a small table, and goes on so while the table grows.
     */
    private static final String UNLIMITED = " limit (select null::bigint)";

    private final NamedSql quick;
    private final NamedSql careful;

    private BatchStatement(NamedSql quick, NamedSql careful) {
        this.quick = quick;
        this.careful = careful;
    }

    /**
     * The requests as rows, one array per column. The server plans a statement anew each time, which
     * costs more than running it, if it finds a plan for the length of these arrays that looks cheaper than
     * one for any length. A subselect hides the length.
     *
     * @param columns each a name, which is also the name of the parameter, and a type
     */
    static String asked(String... columns) {
        StringJoiner arrays = new StringJoiner(", ", "(select * from unnest(", ")" + UNLIMITED + ")");
        StringJoiner names = new StringJoiner(", ", " as asked (", ")");
        for (String column : columns) {
            String[] parts = column.split(" ", 2);
            arrays.add("(select :" + parts[0] + "::" + parts[1] + "[])");
            names.add(parts[0]);
        }
        return arrays.toString() + names;
    }

    /** The same, without the rows of a table that are locked, and with locks on the others. */
    static String unlocked(String asked, String table, String condition) {
        return "with unlocked as (select asked.* from " + asked + " join " + table + " on " + condition
                + " for update of " + table + " skip locked)";
    }

    /**
     * @param update with <code>{asked}</code> in place of the requests, and a condition at its end
     * @param quickly makes the whole statement of the update, which returns the changed rows, names first
     * @param carefully the same; the statement has the requests whose rows were not locked as "unlocked",
     *     and returns their names before the changed rows
     */
    static BatchStatement of(
            Function<String, NamedSql> sql,
            String asked,
            String update,
            Function<String, String> quickly,
            Function<String, String> carefully) {
        return new BatchStatement(
                sql.apply(quickly.apply(update.replace("{asked}", asked) + WAITING_BRIEFLY)),
                sql.apply(unlocked(asked, "leasehold_lease", "name = names") + ", "
                        + carefully.apply(update.replace("{asked}", "unlocked"))));
    }

    /** Returns whether the rows of all requests were reached, that is, none was skipped. */
    boolean run(Connection connection, SqlParameters params, Database.RowReader<?> reader) throws SQLException {
        try {
            Database.rows(connection, quick, params, reader);
            return true;
        } catch (SQLException e) {
            if (!SqlFailures.hasState(e, LOCKED)) {
                throw e;
            }
        }
        Database.rows(connection, careful, params, reader);
        return false;
    }
}
