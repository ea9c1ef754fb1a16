package dev.leasehold.jdbc;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A {@link JdbcFence} that begins and ends the transaction itself. */
final class TransactionFence implements Fence<SqlWork> {
    private final JdbcFence fence;
    private final DataSource source;
    private final String resource;

    @FunctionalInterface
    private interface Check {
        Admission ask(Connection connection) throws SQLException;
    }

    TransactionFence(JdbcFence fence, DataSource source, String resource) {
        this.fence = fence;
        this.source = source;
        this.resource = resource;
    }

    @Override
    public Admission raise(Grant grant) {
        return fence.raiseTogether(source, grant, resource).orElseGet(() -> raiseAlone(grant));
    }

    Admission raiseAlone(Grant grant) {
        return inTransaction(connection -> fence.raise(connection, grant, resource), nothing -> {});
    }

    @Override
    public Admission rebind(Grant grant) {
        return inTransaction(connection -> fence.rebind(connection, grant, resource), nothing -> {});
    }

    @Override
    public Admission admit(Grant grant, SqlWork write) {
        return inTransaction(connection -> fence.admit(connection, grant, resource), write.body());
    }

    @Override
    public Admission admitOnce(Grant grant, SqlWork write) {
        return inTransaction(
                connection -> fence.admitOnce(connection, grant, resource, write.operation()), write.body());
    }

    private Admission inTransaction(Check check, SqlWork.Body body) {
        boolean committing = false;
        try (Connection connection = source.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            boolean committed = false;
            try {
                Admission answer = check.ask(connection);
                if (answer instanceof Admission.Admitted) {
                    body.write(connection);
                    committing = true;
                    connection.commit();
                    committed = true;
                }
                return answer;
            } finally {
                end(connection, committed, autoCommit);
            }
        } catch (SQLException e) {
            throw new TargetUnavailableException(
                    "'" + resource + "': "
                            + (committing
                                    ? "the commit was not acknowledged, so it is unknown whether it was written; write again"
                                    : "nothing was written")
                            + ": " + SqlFailures.inOneLine(e),
                    e);
        }
    }

    private static void end(Connection connection, boolean committed, boolean autoCommit) throws SQLException {
        if (connection.isClosed()) {
            return;
        }
        if (!committed) {
            connection.rollback();
        }
        if (autoCommit) {
            connection.setAutoCommit(true);
        }
    }
}
