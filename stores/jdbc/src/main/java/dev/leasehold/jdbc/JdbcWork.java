package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Completes work items inside the transaction that writes their artifact, so that both become
 * visible together or not at all:
 * <pre>{@code
 * connection.setAutoCommit(false);
 * ... insert into invoices ...
 * if (work.complete(connection, claim, result, List.of()) instanceof WorkStep.Stale) {
 *     connection.rollback();
 * } else {
 *     connection.commit();
 * }
 * }</pre>
 * <p>The item's row stays locked until the transaction ends: a successor that claims the key waits
 * for it, and a transaction that rolls back has completed nothing. This class never commits, rolls
 * back or changes autocommit.
 *
 * <p>The store must be in the same database as the artifact. Safe for use by many threads, each
 * with its own connection.
 */
public final class JdbcWork {
    private final WorkLedger ledger;
    private final Dialect dialect;
    private final Ids ids = new SystemIds();

    private JdbcWork(WorkLedger ledger, Dialect dialect) {
        this.ledger = ledger;
        this.dialect = dialect;
    }

    /**
     * @param store holds the lease and the claim
     * @param source provides the transactions; used once, to check that it is the same database
     */
    public static JdbcWork over(LeaseStore store, DataSource source) {
        try (Connections connections = new DataSourceConnections(source, JdbcLeaseStore.ANSWER_WITHIN)) {
            Dialect dialect = Dialects.detect(connections);
            StoreId found = Schema.open(new Database(connections, dialect), new SystemIds(), false);
            if (!found.equals(store.id())) {
                throw new IllegalArgumentException("the work items are in another database than the"
                        + " transactions that should complete them. Nothing was changed");
            }
            return new JdbcWork(WorkLedger.over(store), dialect);
        }
    }

    /**
     * Completes the item when the transaction commits. A stale claim has written nothing: roll
     * back. The lease is checked on a connection of the store, so a pool that serves both needs one
     * connection more than there are concurrent transactions.
     *
     * @throws SQLException if the database failed or undid the transaction; with state 40001, also
     *     if the transaction began before the claim and cannot see it. A new transaction may try
     *     again
     */
    public WorkStep complete(Connection connection, WorkClaim claim, @Nullable WorkResult result, List<String> effects)
            throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "completing " + claim.id() + " needs a transaction: turn autocommit off, otherwise"
                            + " it is completed before the rest is written. Nothing was changed");
        }
        WorkStep step;
        try {
            step = ledger.through(new TransactionRegister(connection, dialect, ids))
                    .complete(claim, result, effects);
        } catch (TransactionRegister.Failure e) {
            throw e.reason();
        }
        if (step instanceof WorkStep.Stale && isCurrent(claim)) {
            throw new SQLTransactionRollbackException(
                    "the transaction began before " + claim.id()
                            + " was claimed and does not see the claim: nothing was"
                            + " changed. Roll back, and complete it in a new transaction",
                    "40001");
        }
        return step;
    }

    /** Asks the store, because the transaction's snapshot may be older than the claim. */
    private boolean isCurrent(WorkClaim claim) {
        return ledger.find(claim.id())
                .filter(item -> item.state() == WorkState.RUNNING && item.epoch() == claim.epoch())
                .isPresent();
    }
}
