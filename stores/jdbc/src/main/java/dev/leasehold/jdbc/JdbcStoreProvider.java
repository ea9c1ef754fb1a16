package dev.leasehold.jdbc;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import java.util.List;

/**
 * Opens stores by URL: {@code postgresql://}, {@code mariadb://}, {@code mysql://}, {@code
 * sqlite:}, {@code h2:}.
 */
public final class JdbcStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("postgresql", "postgres", "mariadb", "mysql", "sqlite", "h2");
    }

    @Override
    public LeaseStore open(String url) {
        PooledConnections pool = new PooledConnections(JdbcUrl.parse(url));
        try {
            return JdbcLeaseStore.open(pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }
}
