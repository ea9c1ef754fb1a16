package dev.leasehold.jdbc;

import dev.leasehold.internal.LeaseRules;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.ForgetRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Removes the rows of free names. Safe for use by many threads. */
final class Forgets {
    private final Database database;
    private final FloorRow floor;
    private final Function<LeaseName, LeaseRow> rows;
    private final NamedSql forget;
    private final NamedSql forgetHistory;

    /** @param rows reads the row of a name */
    Forgets(Database database, TableNames names, FloorRow floor, Function<LeaseName, LeaseRow> rows) {
        Dialect dialect = database.dialect();
        this.database = database;
        this.floor = floor;
        this.rows = rows;
        this.forget = dialect.sql(names.in(dialect.forget()));
        this.forgetHistory =
                dialect.sql(names.in("delete from leasehold_history where name = :name and token <= :token"));
    }

    List<Forgetting> forget(List<ForgetRequest> requests) {
        List<Forgetting> answers = new ArrayList<>(requests.size());
        for (ForgetRequest request : requests) {
            answers.add(forget(request));
        }
        return answers;
    }

    /** Only a record that may be forgotten raises the floor. */
    private Forgetting forget(ForgetRequest request) {
        LeaseRow row = rows.apply(request.name());
        if (row.record() == null) {
            return Forgetting.ABSENT;
        }
        if (!LeaseRules.mayForget(row.record(), request.seen(), row.clock())) {
            return Forgetting.KEPT;
        }
        floor.raise(request.seen().value());
        SqlParameters params = SqlParameters.of("name", request.name().value())
                .and("token", request.seen().value());
        boolean gone = database.dialect().forgetLeavesHistory()
                ? database.transaction(connection -> forgetWithHistory(connection, params))
                : database.changes(forget, params);
        return gone ? Forgetting.FORGOTTEN : Forgetting.KEPT;
    }

    private boolean forgetWithHistory(Connection connection, SqlParameters params) throws SQLException {
        boolean gone = Database.changes(connection, forget, params);
        if (gone) {
            Database.changes(connection, forgetHistory, params);
        }
        return gone;
    }
}
