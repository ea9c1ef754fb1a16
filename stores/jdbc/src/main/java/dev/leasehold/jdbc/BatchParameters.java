package dev.leasehold.jdbc;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Binds any number of grants as the parameters of one statement. */
final class BatchParameters {
    private BatchParameters() {}

    /** One array per column. */
    static SqlParameters arrays(Connection connection, List<RenewRequest> requests) throws SQLException {
        return ArrayParameters.of(connection, requests)
                .grants(RenewRequest::grant)
                .numbers("ttls", request -> SqlParameters.micros(request.ttl()))
                .all();
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
