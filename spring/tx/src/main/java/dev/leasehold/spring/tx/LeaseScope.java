package dev.leasehold.spring.tx;

import dev.leasehold.Lease;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a thread works under a grant. Transactions that begin in it, or that are active
 * while it opens, are fenced with the grant.
 *
 * <pre>{@code
 * try (LeaseScope scope = LeaseScope.open(lease)) {
 *     orders.bookAll(); // its transactions cannot commit if the lease is superseded
 * }
 * }</pre>
 *
 * <p>Scopes nest. A scope may be closed by another thread; then it ends for the thread that opened
 * it. The scope neither renews nor releases the lease.
 */
public final class LeaseScope implements AutoCloseable {
    private static final ThreadLocal<@Nullable LeaseScope> INNERMOST = new ThreadLocal<>();

    private final Grant grant;
    private final @Nullable Lease lease;
    private final @Nullable LeaseScope outer;
    private final Set<DataSource> raised;

    /** The scope in which the lease was acquired, perhaps on another thread; this one, or one that it repeats. */
    private final LeaseScope first;

    private final AtomicReference<@Nullable TransactionStep> lastStep = new AtomicReference<>();
    private volatile boolean closed;

    private LeaseScope(Grant grant, @Nullable Lease lease, Set<DataSource> raised, @Nullable LeaseScope first) {
        this.grant = grant;
        this.lease = lease;
        this.raised = raised;
        this.first = first == null ? this : first;
        this.outer = innermost();
    }

    /** Opens a scope for a lease that this process holds. */
    public static LeaseScope open(Lease lease) {
        return open(new LeaseScope(lease.grant(), lease, ConcurrentHashMap.newKeySet(), null));
    }

    /** Opens a scope for a grant that somebody else renews, or nobody. */
    public static LeaseScope open(Grant grant) {
        return open(new LeaseScope(grant, null, ConcurrentHashMap.newKeySet(), null));
    }

    /** Opens the same scope again, on any thread; a fence that was raised need not be raised again. */
    public LeaseScope reopen() {
        return open(new LeaseScope(grant, lease, raised, first));
    }

    private static LeaseScope open(LeaseScope scope) {
        // A transaction that is active already: its fence is raised before the work reads anything.
        TransactionLeases.ofCurrentTransaction().ifPresent(transaction -> transaction.join(scope));
        INNERMOST.set(scope);
        return scope;
    }

    public Grant grant() {
        return grant;
    }

    /** Empty if the scope was opened with a grant alone. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(lease);
    }

    /**
     * The scope of this name in which this thread works, or whose grant the current transaction is
     * fenced with. Empty if there is none, or only that of a leased method which has ended on another
     * thread: then the name has to be acquired.
     */
    public static Optional<LeaseScope> enclosing(LeaseName name) {
        return find(name).filter(scope -> !scope.isOver()).or(() -> TransactionLeases.ofCurrentTransaction()
                .flatMap(transaction -> transaction.find(name)));
    }

    /** Whether the method that acquired the lease has ended, so that nobody renews it. */
    private boolean isOver() {
        return first != this && first.closed;
    }

    /** The scope of this name in which this thread works, also if its lease is not renewed any more. */
    static Optional<LeaseScope> find(LeaseName name) {
        return current().stream()
                .filter(scope -> scope.grant.name().equals(name))
                .findFirst();
    }

    /**
     * The innermost scope of each name on this thread, in the order of their names, so that all threads
     * lock fences in one order.
     */
    static List<LeaseScope> current() {
        LeaseScope scope = innermost();
        if (scope == null) {
            return List.of();
        }
        TreeSet<LeaseScope> all = new TreeSet<>(byName());
        for (LeaseScope next = scope; next != null; next = next.outer) {
            if (!next.closed) {
                all.add(next);
            }
        }
        return List.copyOf(all);
    }

    static Comparator<LeaseScope> byName() {
        return Comparator.comparing(scope -> scope.grant.name().value());
    }

    static @Nullable LeaseScope innermost() {
        LeaseScope scope = INNERMOST.get();
        while (scope != null && scope.closed) {
            scope = scope.outer;
        }
        return scope;
    }

    /**
     * Has a step taken inside a transaction, just before it commits: inside the current one if
     * {@code joinsCurrent} and there is one, otherwise inside the next one that begins in this scope
     * and that the step accepts.
     */
    public void lastStepOfTransaction(TransactionStep step, boolean joinsCurrent) {
        lastStep.set(step);
        if (joinsCurrent) {
            TransactionLeases.ofCurrentTransaction().ifPresent(transaction -> transaction.takeStepOf(this));
        }
    }

    /** The step, once, if it accepts the transaction's data source. */
    Optional<TransactionStep> takeStep(DataSource source) {
        TransactionStep step = lastStep.get();
        return step != null && step.accepts(source) && lastStep.compareAndSet(step, null)
                ? Optional.of(step)
                : Optional.empty();
    }

    boolean isRaised(DataSource source) {
        return raised.contains(source);
    }

    void raised(DataSource source) {
        raised.add(source);
    }

    @Override
    public void close() {
        closed = true;
        LeaseScope rest = innermost();
        if (rest == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(rest);
        }
    }

    @Override
    public String toString() {
        return "LeaseScope[" + grant + "]";
    }
}
