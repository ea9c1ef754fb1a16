package dev.leasehold.spring.tx;

import dev.leasehold.jdbc.JdbcFence;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Fences the transactions of any number of transaction managers and data sources. Create one, and
 * attach it to each transaction manager:
 *
 * <pre>{@code
 * FencedTransactions fenced = FencedTransactions.creatingTables();
 * fenced.prepare(pool);
 * fenced.attachTo(transactionManager, "transactionManager");
 * }</pre>
 *
 * <p>A transaction that works under a lease and whose manager has no data source is refused before it
 * begins: it cannot be fenced. Safe for use by many threads.
 */
public final class FencedTransactions {
    private final boolean createTables;
    private final @Nullable Supplier<LeaseStore> store;
    private final Queue<FencingListener> attached = new ConcurrentLinkedQueue<>();
    private final Map<DataSource, DataSourceFence> fences = new ConcurrentHashMap<>();

    private FencedTransactions(boolean createTables, @Nullable Supplier<LeaseStore> store) {
        this.createTables = createTables;
        this.store = store;
    }

    /** Creates the table of the fence in each database where it is missing. */
    public static FencedTransactions creatingTables() {
        return new FencedTransactions(true, null);
    }

    /** Expects the table of the fence, which a migration has created. */
    public static FencedTransactions expectingTables() {
        return new FencedTransactions(false, null);
    }

    /** The same, with a store that is asked who superseded a lease, for the message. */
    public FencedTransactions naming(Supplier<LeaseStore> holders) {
        return new FencedTransactions(createTables, holders);
    }

    /** The name of the fence of all transactions under a lease, as {@link JdbcFence} takes it. */
    public static String resource(LeaseName name) {
        return "transactions:" + name;
    }

    /**
     * Prepares a database. Call it when the application starts: at the first transaction it would
     * need a second connection.
     *
     * @param source the pool itself, not a proxy that joins a running transaction
     */
    public void prepare(DataSource source) {
        fenceOf(source);
    }

    /**
     * Fences the transactions of this manager from now on. The second time it does nothing.
     *
     * @param name for messages
     */
    public void attachTo(ConfigurableTransactionManager manager, String name) {
        if (attached.stream().anyMatch(listener -> listener.isOf(manager))) {
            return;
        }
        FencingListener listener = new FencingListener(this, manager, name);
        manager.addListener(listener);
        attached.add(listener);
    }

    /**
     * Prepares the databases of all transaction managers that are attached.
     *
     * @return what went wrong, by the name of the transaction manager. A transaction under a lease
     *     is refused there
     */
    public Map<String, RuntimeException> prepareAttached() {
        Map<String, RuntimeException> failures = new TreeMap<>();
        for (FencingListener listener : attached) {
            try {
                listener.prepare();
            } catch (StoreUnavailableException
                    | StoreCorruptException
                    | IllegalArgumentException
                    | IllegalStateException e) {
                failures.put(listener.name(), e);
            }
        }
        return failures;
    }

    /** The data sources whose transactions are fenced, by the name of the transaction manager. */
    public Map<String, DataSource> dataSources() {
        Map<String, DataSource> found = new TreeMap<>();
        for (FencingListener listener : attached) {
            DataSource source = listener.source();
            if (source != null) {
                found.put(listener.name(), source);
            }
        }
        return found;
    }

    DataSourceFence fenceOf(DataSource source) {
        return fences.computeIfAbsent(source, found -> {
            JdbcFence fence = createTables ? JdbcFence.prepare(found) : JdbcFence.open(found);
            return new DataSourceFence(found, fence, this::owner);
        });
    }

    /** Only for a message, so a store that does not answer is no failure. */
    private Optional<Transfer> owner(LeaseName name) {
        try {
            return store == null
                    ? Optional.empty()
                    : store.get().inspect(name).map(snapshot -> snapshot.lease().owner());
        } catch (StoreUnavailableException e) {
            return Optional.empty();
        }
    }
}
