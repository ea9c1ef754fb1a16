package dev.leasehold.redis;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import java.util.List;

/** Opens {@code redis://} and {@code rediss://} stores, which may also be written {@code valkey://} and {@code valkeys://}. */
public final class RedisStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("redis", "rediss", "valkey", "valkeys");
    }

    @Override
    public LeaseStore open(String url) {
        return RedisLeaseStore.open(url);
    }

    @Override
    public LeaseStore create(String url) {
        return RedisLeaseStore.create(url);
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return RedisLeaseStore.using(url, client -> OutgoingRedisStore.start(client, to));
    }

    @Override
    public IncomingStore receive(String url, StoreId id) {
        return RedisLeaseStore.using(url, client -> IncomingRedisStore.start(client, id));
    }
}
