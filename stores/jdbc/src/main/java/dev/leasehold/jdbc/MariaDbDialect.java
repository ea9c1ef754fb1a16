package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** MariaDB 10.6 and later, whose inserts can return the row that they made or met. */
final class MariaDbDialect extends InnoDbDialect {
    @Override
    public String product() {
        return "MariaDB";
    }

    @Override
    public String schema() {
        return "mariadb.sql";
    }

    @Override
    public String take() {
        return take("1", MAY_TAKE) + "\nreturning if(took, token, 0), reason, acquired";
    }

    @Override
    public String renew() {
        return renew("for update", MAY_RENEW) + "\nreturning if(took, name, ''), deadline, seen";
    }

    @Override
    public Optional<String> unusable(Connection connection) throws SQLException {
        List<String> mode = Database.rows(
                connection, new NamedSql("select @@sql_mode"), new SqlParameters(), row -> row.getString(1));
        return mode.get(0).contains("SIMULTANEOUS_ASSIGNMENT")
                ? Optional.of("MariaDB runs with sql_mode SIMULTANEOUS_ASSIGNMENT, which changes the meaning of"
                        + " Leasehold's statements: connect without it")
                : Optional.empty();
    }
}
