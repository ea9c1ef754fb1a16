package dev.leasehold.spring.tx;

import dev.leasehold.jdbc.JdbcFence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Transfer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The fence of the transactions of one data source. */
final class DataSourceFence {
    /** A failure to serialize: the row of the fence changed after the transaction took its snapshot. */
    private static final String SERIALIZATION = "40001";

    /** A statement that writes in a read-only transaction. */
    private static final String READ_ONLY = "25006";

    private final DataSource source;
    private final JdbcFence fence;
    private final Function<LeaseName, Optional<Transfer>> owners;

    /** The target may be another database at each transaction, so a raise of one proves nothing about the next. */
    private final boolean routing;

    DataSourceFence(DataSource source, JdbcFence fence, Function<LeaseName, Optional<Transfer>> owners) {
        this.source = source;
        this.fence = fence;
        this.owners = owners;
        this.routing = source instanceof AbstractRoutingDataSource;
    }

    /** Raises the fence on a connection of its own, once for each grant. */
    void raise(LeaseScope scope) {
        if (routing || !scope.isRaised(source)) {
            requireAdmitted(scope, fence.in(source, resource(scope.grant())).raise(scope.grant()), null);
            scope.raised(source);
        }
    }

    /** Admits all grants on the connection of the current transaction. */
    void admit(TransactionLeases transaction) {
        Collection<LeaseScope> scopes = transaction.scopes();
        if (scopes.isEmpty()) {
            return;
        }
        ConnectionHolder holder = boundConnection();
        holder.requested();
        try {
            Connection connection = holder.getConnection();
            if (connection.isReadOnly() && fence.enforcesReadOnly()) {
                return;
            }
            transaction.takeSteps(connection);
            for (LeaseScope scope : scopes) {
                admit(connection, scope);
            }
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            holder.released();
        }
    }

    /** Never another connection: the check would end before the write. */
    private ConnectionHolder boundConnection() {
        if (TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder) {
            return holder;
        }
        throw new IllegalStateException("the transaction was rolled back: it works under a lease, but its JDBC"
                + " connection cannot be found, so the fence cannot be asked. Its transaction manager does not bind the"
                + " connection to the data source. Exempt it with leasehold.fencing.exempt, and use JdbcFence in the"
                + " transaction yourself");
    }

    private void admit(Connection connection, LeaseScope scope) throws SQLException {
        Grant grant = scope.grant();
        try {
            requireAdmitted(scope, fence.admit(connection, grant, resource(grant)), null);
        } catch (SQLException e) {
            if (READ_ONLY.equals(e.getSQLState())) {
                // The database refuses every write of this transaction, so it has none.
                return;
            }
            if (SERIALIZATION.equals(e.getSQLState())) {
                // The snapshot hides who raised the fence; a new transaction sees it.
                requireAdmitted(scope, fence.in(source, resource(grant)).raise(grant), e);
            }
            throw e;
        }
    }

    private void requireAdmitted(LeaseScope scope, Admission answer, @Nullable SQLException cause) {
        if (answer instanceof Admission.Refused refused) {
            StaleLeaseException stale = new StaleLeaseException(
                    StaleLeaseException.ROLLED_BACK,
                    scope.grant(),
                    refused,
                    owners.apply(scope.grant().name()),
                    cause);
            scope.lease().ifPresent(lease -> lease.reportStale(refused.explanation()));
            throw stale;
        }
    }

    /** Never a TransactionException: after one, Spring leaves the transaction as it is. */
    private static RuntimeException translated(SQLException e) {
        RuntimeException known = new SQLStateSQLExceptionTranslator().translate("fence of the transaction", null, e);
        return known != null
                ? known
                : new IllegalStateException(
                        "the fence of the transaction failed, and the transaction was rolled back", e);
    }

    private static String resource(Grant grant) {
        return FencedTransactions.resource(grant.name());
    }
}
