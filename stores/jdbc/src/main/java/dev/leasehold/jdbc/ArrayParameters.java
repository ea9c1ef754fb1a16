package dev.leasehold.jdbc;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds any number of requests as the parameters of one statement: one array per column. */
final class ArrayParameters<Q> {
    private final Connection connection;
    private final List<Q> requests;
    private final SqlParameters all = new SqlParameters();

    private ArrayParameters(Connection connection, List<Q> requests) {
        this.connection = connection;
        this.requests = requests;
    }

    static <Q> ArrayParameters<Q> of(Connection connection, List<Q> requests) {
        return new ArrayParameters<>(connection, requests);
    }

    /** Names, tokens and attempts. */
    ArrayParameters<Q> grants(Function<Q, Grant> grant) throws SQLException {
        return texts("names", request -> grant.apply(request).name().value())
                .numbers("tokens", request -> grant.apply(request).token().value())
                .texts("attempts", request -> attempt(grant.apply(request)));
    }

    private static @Nullable String attempt(Grant grant) {
        AttemptId attempt = grant.attempt();
        return attempt == null ? null : attempt.value();
    }

    ArrayParameters<Q> texts(String name, Function<Q, @Nullable String> value) throws SQLException {
        return column(name, "varchar", value);
    }

    ArrayParameters<Q> numbers(String name, Function<Q, Long> value) throws SQLException {
        return column(name, "bigint", value);
    }

    private <T> ArrayParameters<Q> column(String name, String type, Function<Q, @Nullable T> value)
            throws SQLException {
        @Nullable Object[] values = new @Nullable Object[requests.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(requests.get(i));
        }
        all.and(name, connection.createArrayOf(type, values));
        return this;
    }

    SqlParameters all() {
        return all;
    }
}
