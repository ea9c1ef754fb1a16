package dev.leasehold.firestore;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.function.BiFunction;

/** Opens {@code firestore://} stores. */
public final class FirestoreStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of(FirestoreAddress.SCHEME);
    }

    @Override
    public LeaseStore open(String url) {
        return using(url, (register, place) -> CasLeaseStore.open(register, place));
    }

    @Override
    public LeaseStore create(String url) {
        return using(url, (register, place) -> CasLeaseStore.over(register));
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return using(url, (register, place) -> CasLeaseStore.moveAway(register, place, to));
    }

    @Override
    public IncomingStore receive(String url, StoreId id) {
        return using(url, (register, place) -> CasLeaseStore.receive(register, place, id));
    }

    private static <T> T using(String url, BiFunction<ConnectedRegister, String, T> opening) {
        FirestoreClient client = FirestoreClient.connect(url);
        boolean opened = false;
        try {
            T store = opening.apply(
                    new FirestoreRegister(client), client.address().toString());
            opened = true;
            return store;
        } finally {
            if (!opened) {
                client.close();
            }
        }
    }
}
