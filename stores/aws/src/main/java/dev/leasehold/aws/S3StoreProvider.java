package dev.leasehold.aws;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import java.util.List;

/** Opens {@code s3://} stores. */
public final class S3StoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("s3");
    }

    @Override
    public LeaseStore open(String url) {
        return S3LeaseStore.open(url);
    }

    @Override
    public LeaseStore create(String url) {
        return S3LeaseStore.create(url);
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return S3LeaseStore.moveAway(url, to);
    }

    @Override
    public IncomingStore receive(String url, StoreId id) {
        return S3LeaseStore.receive(url, id);
    }
}
