package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the server does with a statement for many requests. */
class BatchStatementTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    /** The server always plans the first five. */
    private static final int TIMES = 40;

    @Test
    void theServerPlansAStatementForFewRequestsOnlyAtFirst() throws Exception {
        JdbcLeaseStore.create(SERVER.dataSource()).close();
        String mark = "mark" + UUID.randomUUID().toString().replace("-", "");
        NamedSql statement = new NamedSql("select name as " + mark + " from leasehold_lease join "
                + BatchStatement.asked("names text", "tokens bigint") + " on name = names and token = tokens");
        try (Connection connection = SERVER.dataSource().getConnection()) {
            for (int i = 0; i < TIMES; i++) {
                List<String> requests = List.of("a" + i, "b" + i);
                SqlParameters params = ArrayParameters.of(connection, requests)
                        .texts("names", name -> name)
                        .numbers("tokens", name -> 1L)
                        .all();
                assertThat(Database.rows(connection, statement, params, row -> row.getString(1)))
                        .isEmpty();
            }
            try (Statement query = connection.createStatement();
                    ResultSet plans = query.executeQuery(
                            "select custom_plans, generic_plans from pg_prepared_statements where statement like '%"
                                    + mark + "%' and statement not like '%pg_prepared%'")) {
                assertThat(plans.next()).as("prepared by the server").isTrue();
                assertThat(plans.getInt(1))
                        .as("times that the statement was planned")
                        .isLessThanOrEqualTo(5);
                assertThat(plans.getInt(2))
                        .as("times that a plan was used again")
                        .isGreaterThan(TIMES / 2);
            }
        }
    }

    /** A plan is kept while the table grows, so it must not be one for a small table. */
    @Test
    void theServerSearchesTheIndexForEachRequestAlsoInASmallTable() throws Exception {
        JdbcLeaseStore.create(SERVER.dataSource()).close();
        String asked = BatchStatement.asked("names text", "tokens bigint");
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            // In front of the table of other tests.
            statement.execute("create temporary table leasehold_lease (like public.leasehold_lease including all)");
            statement.execute(
                    "insert into leasehold_lease (name, token, attempt, holder, reason, acquired, deadline, term,"
                            + " released, seen, waited) select 'name-' || i, 1, 'attempt', 'holder', 'first', 0, 0, 0, true, 0, 0"
                            + " from generate_series(1, 100) i");
            statement.execute("set plan_cache_mode = force_generic_plan");
            statement.execute("prepare small(text[], bigint[]) as update leasehold_lease set seen = 1 from "
                    + asked.replace(":names", "$1").replace(":tokens", "$2")
                    + " where name = names and token = tokens");
            String plan = String.join("\n", lines(statement, "explain execute small(array['name-1'], array[1])"));
            statement.execute("deallocate small; drop table leasehold_lease; reset plan_cache_mode");
            assertThat(plan).contains("Index Scan").doesNotContain("Seq Scan", "Hash");
        }
    }

    private static List<String> lines(Statement statement, String query) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                lines.add(row.getString(1));
            }
        }
        return lines;
    }
}
