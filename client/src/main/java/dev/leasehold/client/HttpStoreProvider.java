package dev.leasehold.client;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import java.util.List;

/** Opens {@code http://} and {@code https://} stores. */
public final class HttpStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("http", "https");
    }

    @Override
    public LeaseStore open(String url) {
        return HttpLeaseStore.open(url);
    }

    /** The server has its store already. */
    @Override
    public LeaseStore create(String url) {
        return HttpLeaseStore.open(url);
    }
}
