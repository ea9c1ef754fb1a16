package dev.leasehold.jdbc;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds any number of grants as the parameters of one statement. */
final class BatchParameters {
    private BatchParameters() {}

    /** One array per column. */
    static SqlParameters arrays(Connection connection, String text, String number, List<RenewRequest> requests)
            throws SQLException {
        int size = requests.size();
        @Nullable Object[] names = new @Nullable Object[size];
        @Nullable Object[] tokens = new @Nullable Object[size];
        @Nullable Object[] attempts = new @Nullable Object[size];
        @Nullable Object[] ttls = new @Nullable Object[size];
        for (int i = 0; i < size; i++) {
            Grant grant = requests.get(i).grant();
            AttemptId attempt = grant.attempt();
            names[i] = grant.name().value();
            tokens[i] = grant.token().value();
            attempts[i] = attempt == null ? null : attempt.value();
            ttls[i] = SqlParameters.micros(requests.get(i).ttl());
        }
        return SqlParameters.of("names", connection.createArrayOf(text, names))
                .and("tokens", connection.createArrayOf(number, tokens))
                .and("attempts", connection.createArrayOf(text, attempts))
                .and("ttls", connection.createArrayOf(number, ttls));
    }

    /**
     * One JSON array of arrays. Names and attempt ids contain no character that JSON has to escape.
     */
    static SqlParameters json(List<RenewRequest> requests) {
        StringBuilder json = new StringBuilder("[");
        for (RenewRequest request : requests) {
            Grant grant = request.grant();
            AttemptId attempt = grant.attempt();
            json.append(json.length() == 1 ? "" : ",")
                    .append("[\"")
                    .append(grant.name())
                    .append("\",")
                    .append(grant.token())
                    .append(',')
                    .append(attempt == null ? "null" : "\"" + attempt + "\"")
                    .append(',')
                    .append(SqlParameters.micros(request.ttl()))
                    .append(']');
        }
        return SqlParameters.of("batch", json.append(']').toString());
    }
}
