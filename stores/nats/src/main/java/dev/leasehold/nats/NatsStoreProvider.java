package dev.leasehold.nats;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.function.Function;

/** Opens {@code nats://} stores. */
public final class NatsStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("nats");
    }

    @Override
    public LeaseStore open(String url) {
        return using(url, register -> CasLeaseStore.open(register, register.toString()));
    }

    @Override
    public LeaseStore create(String url) {
        return using(url, register -> {
            register.createBucket();
            return CasLeaseStore.over(register);
        });
    }

    private static LeaseStore using(String url, Function<NatsRegister, LeaseStore> opening) {
        NatsRegister register = NatsRegister.connect(url);
        try {
            return opening.apply(register);
        } catch (RuntimeException e) {
            register.close();
            throw e;
        }
    }
}
