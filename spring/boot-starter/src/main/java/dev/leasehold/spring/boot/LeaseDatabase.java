package dev.leasehold.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Chooses the data source of the leases, and refuses one that cannot work. */
final class LeaseDatabase {
    /** The names of the setting in HikariCP, DBCP 2, the pool of Tomcat, c3p0 and UCP, and H2. */
    private static final List<String> POOL_SIZES =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize", "getMaxConnections");

    private static final String JOINS_TRANSACTIONS = "TransactionAwareDataSourceProxy";
    private static final String ROUTES = "AbstractRoutingDataSource";
    private static final String ONE_CONNECTION = "SingleConnectionDataSource";

    private static final int MAX_WRAPPED = 10;

    private LeaseDatabase() {}

    /** @return empty if the application has no data source */
    static Optional<DataSource> choose(ListableBeanFactory beans, @Nullable String name) {
        List<String> names = List.of(beans.getBeanNamesForType(DataSource.class, true, false));
        if (name != null && !name.isBlank()) {
            if (!names.contains(name)) {
                throw new LeaseSetupException(
                        "leasehold.data-source is '" + name + "', but there is no such data source.",
                        "Use one of " + names + ".");
            }
            return Optional.of(requireUsable(name, beans.getBean(name, DataSource.class)));
        }
        if (names.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(requireUsable(names.get(0), beans.getBean(DataSource.class)));
        } catch (NoUniqueBeanDefinitionException e) {
            throw new LeaseSetupException(
                    "The application has the data sources " + names + ", and none of them is chosen for leases.",
                    "Set leasehold.data-source to one of these names, or mark one of them as @Primary.");
        }
    }

    private static DataSource requireUsable(String name, DataSource chosen) {
        DataSource source = withOwnTransactions(chosen);
        if (anyIs(source, ROUTES)) {
            throw new LeaseSetupException(
                    "The data source '" + name
                            + "' leads to another database at each call. A lease that is acquired in one"
                            + " of them is free in the others.",
                    "Set leasehold.data-source to the data source of one of these databases, or leasehold.store to its URL.");
        }
        requireTwoConnections(
                source,
                "The pool of data source '" + name
                        + "' has one connection. While a transaction has it, no lease can be"
                        + " renewed, so every longer transaction would lose its lease.");
        return source;
    }

    static void requireTwoConnections(DataSource source, String problem) {
        if (poolSize(source) == 1 || anyIs(source, ONE_CONNECTION)) {
            throw new LeaseSetupException(
                    problem,
                    "Allow at least two connections, with spring.datasource.hikari.maximum-pool-size for example.");
        }
    }

    /** The pool behind a proxy that would put the statements of the leases into the transaction of a caller. */
    private static DataSource withOwnTransactions(DataSource source) {
        return is(source, JOINS_TRANSACTIONS) && call(source, "getTargetDataSource") instanceof DataSource target
                ? withOwnTransactions(target)
                : source;
    }

    private static boolean anyIs(DataSource source, String type) {
        Object next = source;
        for (int depth = 0; next != null && depth < MAX_WRAPPED; depth++) {
            if (is(next, type)) {
                return true;
            }
            next = call(next, "getTargetDataSource");
        }
        return false;
    }

    /** By name, because an application may have no spring-jdbc. */
    private static boolean is(Object source, String type) {
        for (Class<?> next = source.getClass(); next != null; next = next.getSuperclass()) {
            if (next.getSimpleName().equals(type)) {
                return true;
            }
        }
        return false;
    }

    /** Zero if it is not known. */
    private static int poolSize(DataSource source) {
        Object next = source;
        for (int depth = 0; next != null && depth < MAX_WRAPPED; depth++) {
            for (String getter : POOL_SIZES) {
                if (call(next, getter) instanceof Integer size) {
                    return size;
                }
            }
            next = call(next, "getTargetDataSource");
        }
        return 0;
    }

    private static @Nullable Object call(Object target, String getter) {
        try {
            return target.getClass().getMethod(getter).invoke(target);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }
}
