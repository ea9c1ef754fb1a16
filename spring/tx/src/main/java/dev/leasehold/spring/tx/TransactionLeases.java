package dev.leasehold.spring.tx;

import dev.leasehold.model.LeaseName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The grants that one transaction must be admitted with: those in scope when it began, and those
 * whose scope opened while it was active. Suspended and resumed with the transaction.
 */
final class TransactionLeases implements TransactionSynchronization {
    private final FencedTransactions fences;
    private final DataSource source;
    private final List<LeaseScope> scopes = new ArrayList<>();
    private final List<TransactionStep> steps = new ArrayList<>();

    /** Does not touch the database: an exception while a transaction begins would leak its connection. */
    TransactionLeases(FencedTransactions fences, DataSource source, Collection<LeaseScope> scopes) {
        this.fences = fences;
        this.source = source;
        this.scopes.addAll(scopes);
        scopes.forEach(this::takeStepOf);
    }

    static Optional<TransactionLeases> ofCurrentTransaction() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
                if (each instanceof TransactionLeases leases) {
                    return Optional.of(leases);
                }
            }
        }
        return Optional.empty();
    }

    void join(LeaseScope scope) {
        fences.fenceOf(source).raise(scope);
        scopes.add(scope);
    }

    Optional<LeaseScope> find(LeaseName name) {
        return scopes.stream()
                .filter(scope -> scope.grant().name().equals(name))
                .findFirst();
    }

    void takeStepOf(LeaseScope scope) {
        scope.takeStep(source).ifPresent(steps::add);
    }

    /** One scope for each name, in the order of the names. */
    Collection<LeaseScope> scopes() {
        TreeSet<LeaseScope> sorted = new TreeSet<>(LeaseScope.byName());
        sorted.addAll(scopes);
        return sorted;
    }

    /** Asks the fence on the connection of the transaction. */
    void admit() {
        fences.fenceOf(source).admit(this);
    }

    void takeSteps(Connection connection) throws SQLException {
        for (TransactionStep step : steps) {
            step.take(connection);
        }
    }

    @Override
    public void afterCompletion(int status) {
        steps.forEach(step -> step.ended(status == STATUS_COMMITTED));
    }
}
