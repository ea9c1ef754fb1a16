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
    /** The names of the setting in HikariCP, DBCP 2 and the pool of Tomcat. */
    private static final List<String> POOL_SIZES = List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive");

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

    private static DataSource requireUsable(String name, DataSource source) {
        if (poolSize(source) == 1) {
            throw new LeaseSetupException(
                    "The pool of data source '" + name
                            + "' has one connection. While a transaction has it, no lease can be"
                            + " renewed, so every longer transaction would lose its lease.",
                    "Allow at least two connections, with spring.datasource.hikari.maximum-pool-size for example.");
        }
        return source;
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
