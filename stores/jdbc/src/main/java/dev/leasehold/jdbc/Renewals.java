package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Renews any number of grants, with one statement for every {@value #BATCH} names, and then reads
 * the grants that were lost.
 */
final class Renewals {
    private static final int BATCH = 5000;
    private static final int READ_AT_ONCE = 100;

    private final Database database;
    private final LeaseStatements statements;
    private final BiFunction<RenewRequest, LeaseRow, Renewal> rules;
    private final NamedSql readMany;

    Renewals(Database database, LeaseStatements statements, BiFunction<RenewRequest, LeaseRow, Renewal> rules) {
        this.database = database;
        this.statements = statements;
        this.rules = rules;
        this.readMany = database.dialect()
                .sql("select {row}, {clock} from leasehold_lease where name in (?" + ", ?".repeat(READ_AT_ONCE - 1)
                        + ")");
    }

    List<Renewal> renew(List<RenewRequest> requests) {
        @Nullable Renewal[] answers = new @Nullable Renewal[requests.size()];
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            left.add(i);
        }
        // The same order everywhere, so that two processes that renew the same names do not
        // deadlock.
        left.sort(Comparator.comparing(i -> requests.get(i).grant().name()));
        while (!left.isEmpty()) {
            left = renewBatch(requests, left, answers);
        }
        List<Renewal> results = new ArrayList<>();
        for (Renewal answer : answers) {
            if (answer == null) {
                throw new IllegalStateException("a renewal was not answered");
            }
            results.add(answer);
        }
        return Collections.unmodifiableList(results);
    }

    /**
     * Renews one grant per name, because a statement changes a row only once, and returns the
     * remaining requests.
     */
    private List<Integer> renewBatch(List<RenewRequest> requests, List<Integer> todo, @Nullable Renewal[] answers) {
        Set<LeaseName> names = new HashSet<>();
        List<Integer> batch = new ArrayList<>();
        List<Integer> later = new ArrayList<>();
        for (Integer i : todo) {
            boolean fits =
                    batch.size() < BATCH && names.add(requests.get(i).grant().name());
            (fits ? batch : later).add(i);
        }
        Map<String, Duration> renewed = send(batch.stream().map(requests::get).toList());
        List<Integer> lost = new ArrayList<>();
        for (Integer i : batch) {
            Duration remaining = renewed.get(requests.get(i).grant().name().value());
            if (remaining == null) {
                lost.add(i);
            } else {
                answers[i] = new Renewal.Renewed(remaining);
            }
        }
        for (int from = 0; from < lost.size(); from += READ_AT_ONCE) {
            explain(requests, lost.subList(from, Math.min(lost.size(), from + READ_AT_ONCE)), answers);
        }
        return later;
    }

    private Map<String, Duration> send(List<RenewRequest> batch) {
        return database.run(connection -> {
            SqlParameters params = database.dialect().batch(connection, batch);
            if (statements.renewed.isEmpty()) {
                return renewed(connection, statements.renew, params);
            }
            Database.changes(connection, statements.renew, params);
            return SecondStatement.answer(() -> renewed(connection, statements.renewed.get(), params));
        });
    }

    private static Map<String, Duration> renewed(Connection connection, NamedSql sql, SqlParameters params)
            throws SQLException {
        Map<String, Duration> renewed = new HashMap<>();
        try (PreparedStatement statement = sql.prepare(connection, params);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                renewed.put(row.getString(1), Duration.ofNanos((row.getLong(2) - row.getLong(3)) * 1000));
            }
        }
        return renewed;
    }

    private void explain(List<RenewRequest> requests, List<Integer> lost, @Nullable Renewal[] answers) {
        List<String> names =
                lost.stream().map(i -> requests.get(i).grant().name().value()).toList();
        Map<String, LeaseRow> rows = database.run(connection -> readMany(connection, names));
        for (Integer i : lost) {
            RenewRequest request = requests.get(i);
            String name = request.grant().name().value();
            answers[i] = rules.apply(request, rows.getOrDefault(name, LeaseRow.UNKNOWN));
        }
    }

    private Map<String, LeaseRow> readMany(Connection connection, List<String> names) throws SQLException {
        Map<String, LeaseRow> rows = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(readMany.toString())) {
            for (int i = 0; i < READ_AT_ONCE; i++) {
                // One statement serves any number of names: surplus parameters repeat the last
                // name.
                statement.setString(i + 1, names.get(Math.min(i, names.size() - 1)));
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    LeaseRow row = LeaseRow.read(result);
                    LeaseRecord record = row.record();
                    if (record != null) {
                        rows.put(record.name().value(), row);
                    }
                }
            }
        }
        return rows;
    }
}
