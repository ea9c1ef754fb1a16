package dev.leasehold.durableobjects;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;

/** Opens {@code durable-objects://} stores. */
public final class DurableObjectsStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of(DurableObjectsAddress.SCHEME);
    }

    @Override
    public LeaseStore open(String url) {
        return over(DurableObjectsClient.connect(url), false);
    }

    @Override
    public LeaseStore create(String url) {
        return over(DurableObjectsClient.connect(url), true);
    }

    private static LeaseStore over(DurableObjectsClient client, boolean create) {
        boolean opened = false;
        try {
            DurableObjectsRegister register = new DurableObjectsRegister(client);
            LeaseStore store = create
                    ? CasLeaseStore.over(register)
                    : CasLeaseStore.open(register, client.address().toString());
            opened = true;
            return store;
        } finally {
            if (!opened) {
                client.close();
            }
        }
    }
}
