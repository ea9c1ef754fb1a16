package dev.leasehold.jdbc;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.Pending;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Raises the fences of many callers in one PostgreSQL statement. It answers those that it admits. The
 * others are asked again alone: a fence that refuses, is new, or that a transaction has locked. Safe for
 * use by many threads.
 */
final class SharedRaises {
    private static final Combiner.Lanes LANES = PostgresBatches.LANES;

    /** Skips locked fences at once: a transaction that raised a fence has it locked until it ends. */
    private static final NamedSql RAISE = new NamedSql(
            BatchStatement.unlocked(
                            BatchStatement.asked(
                                    "resources text", "names text", "stores text", "tokens bigint", "attempts text"),
                            "leasehold_fence",
                            "resource = resources")
                    + """
             update leasehold_fence f
            set store = coalesce(f.store, stores),
                attempt = case when raised < tokens or f.attempt is null then attempts else f.attempt end,
                raised = tokens, uses = uses + 1
            from unlocked
            where resource = resources and name = names
              and coalesce(f.store, stores, '') = coalesce(stores, f.store, '')
              and (raised < tokens
                   or raised = tokens and coalesce(f.attempt, attempts, '') = coalesce(attempts, f.attempt, ''))
            returning resource""");

    /** @param resource the fence's */
    record Raise(Grant grant, String resource) {
        @Nullable
        String attempt() {
            AttemptId attempt = grant.attempt();
            return attempt == null ? null : attempt.value();
        }

        @Nullable
        String store() {
            StoreId store = grant.store();
            return store == null ? null : store.value();
        }
    }

    private final DataSource source;
    private final Combiner<Raise, Admission> combiner;

    /** @param alone raises a fence in its own transaction */
    SharedRaises(DataSource source, Function<Raise, Admission> alone) {
        this.source = source;
        this.combiner = new Combiner<>(PostgresBatches.MOST, LANES, Raise::resource, this::together, alone);
    }

    Admission raise(Grant grant, String resource) {
        return combiner.ask(new Raise(grant, resource));
    }

    /** A failure answers nobody: to raise a fence twice is harmless, and each caller finds its own error. */
    private void together(List<Pending<Raise, Admission>> requests) {
        Map<String, Pending<Raise, Admission>> first = new LinkedHashMap<>();
        for (Pending<Raise, Admission> each : requests) {
            first.putIfAbsent(each.request().resource(), each);
        }
        List<Raise> raises = new ArrayList<>();
        first.values().forEach(each -> raises.add(each.request()));
        try {
            for (String resource : raised(raises)) {
                Pending<Raise, Admission> each = first.get(resource);
                if (each != null) {
                    each.answer(new Admission.Admitted(each.request().grant().token()));
                }
            }
        } catch (SQLException e) {
            // Found again by each caller.
        }
    }

    /** Returns only what was committed. */
    private Set<String> raised(List<Raise> raises) throws SQLException {
        try (Connection connection = source.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            Set<String> raised = new HashSet<>(Database.rows(
                    connection,
                    RAISE,
                    ArrayParameters.of(connection, raises)
                            .texts("resources", Raise::resource)
                            .texts("names", raise -> raise.grant().name().value())
                            .texts("stores", Raise::store)
                            .numbers("tokens", raise -> raise.grant().token().value())
                            .texts("attempts", Raise::attempt)
                            .all(),
                    row -> row.getString(1)));
            if (!autoCommit) {
                connection.commit();
            }
            return raised;
        }
    }
}
