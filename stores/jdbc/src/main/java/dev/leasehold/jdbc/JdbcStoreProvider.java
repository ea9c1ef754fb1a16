package dev.leasehold.jdbc;

import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import java.nio.file.Files;
import java.nio.file.Path;
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
        JdbcUrl parsed = JdbcUrl.parse(url);
        // The drivers of embedded databases would create the file.
        Path file = parsed.file();
        if (file != null && !Files.exists(file)) {
            throw new StoreMissingException("there is no store in " + file + ": the file does not exist, and none was"
                    + " created. If it is on another disk, mount it. To make a new store there, run"
                    + " 'leasehold store init' with the same URL, without ?id=...");
        }
        return open(parsed.withoutChanges(), false);
    }

    @Override
    public LeaseStore create(String url) {
        return open(JdbcUrl.parse(url), true);
    }

    private static LeaseStore open(JdbcUrl url, boolean create) {
        PooledConnections pool = new PooledConnections(url);
        try {
            return JdbcLeaseStore.open(pool, create);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }
}
