package dev.leasehold.spring.boot;

import dev.leasehold.Stores;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.jdbc.JdbcSchema;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spring.boot.LeaseholdProperties.SchemaMode;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Opens the store that the settings name, or the one that the application has a connection to. */
final class StoreOpener {
    private final LeaseholdProperties settings;
    private final ListableBeanFactory beans;

    StoreOpener(LeaseholdProperties settings, ListableBeanFactory beans) {
        this.settings = settings;
        this.beans = beans;
    }

    LeaseStore open() {
        String store = settings.store() == null ? "" : settings.store().strip();
        return switch (store) {
            case "" -> fromApplication();
            case "jdbc" ->
                fromDataSource()
                        .orElseThrow(() -> missing("leasehold.store is jdbc, but there is no data" + " source."));
            case "redis" ->
                fromRedis()
                        .orElseThrow(() -> missing("leasehold.store is redis, but there is no Redis" + " connection."));
            default -> fromUrl(store);
        };
    }

    private LeaseStore fromApplication() {
        return fromDataSource()
                .or(this::fromRedis)
                .orElseThrow(
                        () -> missing("Leases need a store, and the application has neither a data source nor a Redis"
                                + " connection."));
    }

    private static LeaseSetupException missing(String what) {
        return new LeaseSetupException(
                what,
                "Configure spring.datasource.url or spring.data.redis.host, or set leasehold.store to a URL such as"
                        + " file:/shared/leases. In tests, set leasehold.store=memory: (it lasts as long as the process).");
    }

    private LeaseStore fromUrl(String url) {
        try {
            return settings.schema() == SchemaMode.CREATE ? Stores.create(url) : Stores.open(url);
        } catch (StoreMissingException e) {
            throw new LeaseSetupException(
                    "leasehold.store names a store that does not exist: " + e.getMessage(),
                    "Create it once with 'leasehold store init', or set leasehold.schema=create.");
        } catch (IllegalArgumentException e) {
            throw new LeaseSetupException(
                    "leasehold.store cannot be used: " + e.getMessage(),
                    "Correct leasehold.store, or add the module of that store, such as leasehold-redis.");
        }
    }

    private Optional<LeaseStore> fromDataSource() {
        return LeaseDatabase.choose(beans, settings.dataSource()).map(this::in);
    }

    private LeaseStore in(DataSource source) {
        if (settings.schema() == null || settings.schema() == SchemaMode.CREATE) {
            return JdbcLeaseStore.create(source);
        }
        try {
            return JdbcLeaseStore.open(source);
        } catch (StoreMissingException e) {
            String ddl = settings.schema() == SchemaMode.PRINT
                    ? " These statements create them:\n\n" + JdbcSchema.ddl(source)
                    : " leasehold.schema=print shows the statements.";
            throw new LeaseSetupException(
                    "The tables of Leasehold are missing, and leasehold.schema="
                            + settings.schema().name().toLowerCase(java.util.Locale.ROOT) + " creates nothing.",
                    "Put the statements into a migration, or set leasehold.schema=create." + ddl);
        }
    }

    private Optional<LeaseStore> fromRedis() {
        ClassLoader loader = beans.getClass().getClassLoader();
        if (!ClassUtils.isPresent("org.springframework.data.redis.connection.RedisConnectionFactory", loader)) {
            return Optional.empty();
        }
        return RedisConnections.url(beans).map(url -> {
            if (!Stores.schemes().contains("redis")) {
                throw new LeaseSetupException(
                        "The application has a Redis connection, but not the module that keeps leases in Redis.",
                        "Add the dependency dev.leasehold:leasehold-redis, or set leasehold.store.");
            }
            // Nothing has to be created but an id, and the address is that of the application itself.
            return settings.schema() == SchemaMode.CHECK ? Stores.open(url) : Stores.create(url);
        });
    }
}
