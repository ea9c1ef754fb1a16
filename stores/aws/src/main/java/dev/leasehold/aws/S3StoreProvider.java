package dev.leasehold.aws;

import dev.leasehold.spi.LeaseStore;
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
}
