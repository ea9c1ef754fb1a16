package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/**
 * MySQL 8.0 and later. No statement of MySQL returns a row that it changed, so a second statement on the
 * same connection asks for the answer. It does not guess from the row, which others may have changed
 * since. A take notes its token as the last insert id of its connection, which only its connection can
 * change. A renewal leaves a number of its own in each row that it extended.
 */
final class MySqlDialect extends InnoDbDialect {
    static final int LEAST_VERSION = 8;

    private final Ids ids = new SystemIds();

    @Override
    public String product() {
        return "MySQL";
    }

    @Override
    public String schema() {
        return "mysql.sql";
    }

    @Override
    public String take() {
        return take(
                "last_insert_id(v.above + 1)",
                "last_insert_id(if(" + MAY_TAKE + ",\n                        greatest(token, :above) + 1, 0))");
    }

    @Override
    public Optional<String> taken() {
        return Optional.of(
                """
                select last_insert_id(), l.token, l.reason, l.acquired,
                    if(last_insert_id() in (0, l.token), null, l.history)
                from (select 1 as one) o left join leasehold_lease l on l.name = :name""");
    }

    @Override
    public String renew() {
        return renew("for update of l", "if(" + MAY_RENEW + ", :call, 0)");
    }

    @Override
    public Optional<String> renewed() {
        return Optional.of(
                """
                select l.name, l.deadline, l.seen from %s a
                straight_join leasehold_lease l on l.name = cast(a.name as binary)
                where l.took = :call and not l.released"""
                        .formatted(BATCH));
    }

    /** The number of a call is negative, so that it is no token. */
    @Override
    public SqlParameters batch(Connection connection, List<RenewRequest> requests) {
        return super.batch(connection, requests).and("call", -1 - ids.below(Long.MAX_VALUE));
    }
}
