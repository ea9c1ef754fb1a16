package dev.leasehold.spring.tx;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Raises the fence before a transaction begins and asks it before the transaction commits. Between
 * the two it holds no lock, so a transaction that suspends another one does not wait for it.
 */
final class FencingListener implements TransactionExecutionListener {
    private final FencedTransactions fences;
    private final ConfigurableTransactionManager manager;
    private final String name;
    private volatile @Nullable DataSource found;

    FencingListener(FencedTransactions fences, ConfigurableTransactionManager manager, String name) {
        this.fences = fences;
        this.manager = manager;
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isOf(ConfigurableTransactionManager other) {
        return manager == other;
    }

    void prepare() {
        DataSource source = source();
        if (source != null) {
            fences.prepare(source);
        }
    }

    /** Nothing is bound yet, so a refusal leaves nothing behind. */
    @Override
    public void beforeBegin(TransactionExecution transaction) {
        List<LeaseScope> scopes = isOutermost(transaction) ? LeaseScope.current() : List.of();
        if (!scopes.isEmpty()) {
            DataSourceFence fence = fences.fenceOf(requireSource(scopes.get(0)));
            scopes.forEach(fence::raise);
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null
                && isOutermost(transaction)
                && TransactionSynchronizationManager.isSynchronizationActive()) {
            DataSource source = source();
            if (source != null) {
                TransactionSynchronizationManager.registerSynchronization(
                        new TransactionLeases(fences, source, LeaseScope.current()));
            }
        }
    }

    /**
     * Runs after all synchronizations. What is written later than the check would wait for the row
     * of the fence with other rows locked, so everything is flushed first.
     */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        DataSource source = isOutermost(transaction) ? source() : null;
        if (source == null) {
            return;
        }
        TransactionLeases leases = TransactionLeases.ofCurrentTransaction()
                .orElseGet(() -> new TransactionLeases(fences, source, LeaseScope.current()));
        if (!leases.scopes().isEmpty()) {
            if (transaction instanceof TransactionStatus status) {
                status.flush();
            }
            leases.admit();
        }
    }

    /** A savepoint is no transaction: the one around it is fenced. */
    private static boolean isOutermost(TransactionExecution transaction) {
        return transaction.isNewTransaction();
    }

    private DataSource requireSource(LeaseScope scope) {
        DataSource source = source();
        if (source == null) {
            throw new IllegalStateException(
                    "transactions of '" + name + "' cannot be fenced, because it has no JDBC data"
                            + " source, and this one would run under lease "
                            + scope.grant().name()
                            + ". If a stale commit does no harm there, set leasehold.fencing.exempt=" + name);
        }
        return source;
    }

    /**
     * The managers of JDBC, JPA and Hibernate all have this method, and share no type that has it.
     * Asked until it answers, because a manager may find its data source after this listener was
     * added.
     */
    @Nullable
    DataSource source() {
        if (found != null) {
            return found;
        }
        try {
            found = manager.getClass().getMethod("getDataSource").invoke(manager) instanceof DataSource source
                    ? source
                    : null;
            return found;
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }
}
