package dev.leasehold.jdbc;

import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

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
        return using(existing(url), pool -> JdbcLeaseStore.open(pool, false));
    }

    @Override
    public LeaseStore create(String url) {
        return using(JdbcUrl.parse(url), pool -> JdbcLeaseStore.open(pool, true));
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return using(existing(url), pool -> JdbcLeaseStore.moveAway(pool, to));
    }

    @Override
    public IncomingStore receive(String url, StoreId id) {
        return using(JdbcUrl.parse(url), pool -> JdbcLeaseStore.receive(pool, id));
    }

    private static JdbcUrl existing(String url) {
        JdbcUrl parsed = JdbcUrl.parse(url);
        // The drivers of embedded databases would create the file.
        Path file = parsed.file();
        if (file != null && !Files.exists(file)) {
            throw new StoreMissingException("there is no store in " + file + ": the file does not exist, and none was"
                    + " created. If it is on another disk, mount it. To make a new store there, run"
                    + " 'leasehold store init' with the same URL, without ?id=...");
        }
        return parsed.withoutChanges();
    }

    private static <T> T using(JdbcUrl url, Function<Connections, T> opening) {
        PooledConnections pool = new PooledConnections(url);
        try {
            return opening.apply(pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }
}
