package dev.leasehold.firestore;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;

/** Opens {@code firestore://} stores. */
public final class FirestoreStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of(FirestoreAddress.SCHEME);
    }

    @Override
    public LeaseStore open(String url) {
        return over(FirestoreClient.connect(url), false);
    }

    @Override
    public LeaseStore create(String url) {
        return over(FirestoreClient.connect(url), true);
    }

    private static LeaseStore over(FirestoreClient client, boolean create) {
        boolean opened = false;
        try {
            FirestoreRegister register = new FirestoreRegister(client);
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
