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

    /** Typed arrays, because the driver sends arrays of objects as text, which the server has to parse. */
    ArrayParameters<Q> texts(String name, Function<Q, @Nullable String> value) throws SQLException {
        @Nullable String[] values = new @Nullable String[requests.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(requests.get(i));
        }
        all.and(name, connection.createArrayOf("varchar", values));
        return this;
    }

    ArrayParameters<Q> numbers(String name, Function<Q, Long> value) throws SQLException {
        Long[] values = new Long[requests.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(requests.get(i));
        }
        all.and(name, connection.createArrayOf("bigint", values));
        return this;
    }

    SqlParameters all() {
        return all;
    }
}
